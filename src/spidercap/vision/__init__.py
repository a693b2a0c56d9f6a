"""Pictures to vectors: Inception-V3, extraction, and the memory-mapped feature store."""
