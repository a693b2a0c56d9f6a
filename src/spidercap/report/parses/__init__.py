"""Captions as SPICE sees them: what `spidercap parse` reads, prints and draws."""
