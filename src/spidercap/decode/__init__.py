"""Stage 5: captions from the model: the likeliest words, drawn words, or a search for the likeliest caption."""
