"""Stage 7: what training maximises, a function of (image ids, captions)."""
