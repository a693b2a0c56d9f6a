"""Where captions and images come from: one reader a source, one common form (`captions.py`)."""
