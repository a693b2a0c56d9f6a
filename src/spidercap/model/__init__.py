"""Stage 4: Show and Tell, from a feature vector and words so far to the distribution of the next word."""
