"""Stage 8: what is optimised, one file an algorithm; pure loss functions with the paper's equation numbers."""
