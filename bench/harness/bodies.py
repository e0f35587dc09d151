"""Bodies the origin serves, made for the run."""

import hashlib
import random
from dataclasses import dataclass

MEGABYTES_7 = 7 * 1024 * 1024


@dataclass(frozen=True)
class Body:
    path: str
    size: int
    sha256: str | None


def random_body(root, name, size):
    """Bytes that repeat from run to run and compress badly."""
    digest, source = hashlib.sha256(), random.Random(name)
    with open(f"{root}/{name}", "wb") as file:
        left = size
        while left:
            piece = source.randbytes(min(left, 1 << 20))
            digest.update(piece)
            file.write(piece)
            left -= len(piece)
    return Body("/" + name, size, digest.hexdigest())


def sparse_body(root, name, size):
    """Zeros that take no room on the disk."""
    with open(f"{root}/{name}", "wb") as file:
        file.truncate(size)
    return Body("/" + name, size, None)
