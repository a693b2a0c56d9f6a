"""Training runs compared on one page: what `spidercap report` computes and writes."""
