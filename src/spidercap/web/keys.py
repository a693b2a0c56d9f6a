"""Keys in links: whoever has one may come in; only its hash is stored."""

import hashlib
import secrets
from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """A secret for a link, and the hash that is stored of it."""

    text: str
    hash: str


def new_key() -> Key:
    """A secret of 256 bits."""
    text = secrets.token_urlsafe(32)
    return Key(text, hash_key(text))


def hash_key(text: str) -> str:
    """What is stored of a key; a plain hash will do, for nobody can try 2²⁵⁶ keys."""
    return hashlib.sha256(text.encode()).hexdigest()
