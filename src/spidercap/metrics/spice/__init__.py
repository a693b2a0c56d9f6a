"""SPICE: captions as scene graphs, compared with those of the references tuple by tuple."""
