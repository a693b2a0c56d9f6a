"""The caption metrics: references digested once, statistics a caption, scores from their sums."""
