"""Train image captioners on the metric you care about, and score captions fast, without Java."""

__version__ = "0.1.0"
