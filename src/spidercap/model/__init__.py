"""Stage 4: captioners behind one interface, from an image and symbols so far to the distribution of the next one."""
