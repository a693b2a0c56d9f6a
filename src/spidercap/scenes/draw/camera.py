"""The camera: how metres on the ground become pixels."""

from dataclasses import dataclass

import numpy as np

Plane = np.ndarray


@dataclass(frozen=True, slots=True)
class Camera:
    """A view over flat ground.

    A thing `z` metres behind the main plane stands at y = horizon + (foot - horizon) · d / (d + z), and a metre
    there is scale · d / (d + z) pixels, d being the distance to the main plane.
    """

    size: int
    horizon: float
    foot: float
    scale: float
    centre: float
    distance: float

    def near(self, z: float) -> float:
        """How much smaller things are at this depth."""
        return self.distance / max(0.15 * self.distance, self.distance + z)

    def ground(self, z: float) -> float:
        """The picture row of the ground at this depth."""
        return self.horizon + (self.foot - self.horizon) * self.near(z)

    def place(self, x: float, z: float, lift: float = 0) -> tuple[float, float, float]:
        """Pixel and pixels a metre of a point x metres right of the centre."""
        scale = self.scale * self.near(z)
        return self.centre + x * scale, self.ground(z) - lift * scale, scale

    def plane(self) -> tuple[Plane, Plane, Plane]:
        """For every pixel: metres across, depth z, and whether it is below the horizon."""
        rows = np.arange(self.size, dtype=np.float32)[:, None] + 0.5
        columns = np.arange(self.size, dtype=np.float32)[None, :] + 0.5
        below = rows > self.horizon + 0.5
        drop = np.maximum(rows - self.horizon, 0.5) / (self.foot - self.horizon)
        across = (columns - self.centre) / (self.scale * drop)
        depth = np.broadcast_to(self.distance / drop - self.distance, across.shape)
        return across, depth, np.broadcast_to(below, across.shape)
