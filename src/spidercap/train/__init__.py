"""Stage 9: the loop, its data, its checkpoints and its distribution over processes."""
