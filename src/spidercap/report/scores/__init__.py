"""Systems scored on the same references: what `spidercap score` computes, prints and writes."""
