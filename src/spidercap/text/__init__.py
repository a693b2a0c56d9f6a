"""Words: the vocabulary of the captioner and what it covers."""
