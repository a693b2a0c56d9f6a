"""The light of a scene: colours of sky, haze and shadow by time of day and weather."""

from dataclasses import dataclass

from spidercap.scenes.dice import Dice
from spidercap.scenes.draw.colour import Colour, jitter, mix


@dataclass(frozen=True, slots=True)
class Light:
    """Sky from top to horizon, what distance fades to, what everything is multiplied by, and the shadows."""

    zenith: Colour
    horizon: Colour
    haze: Colour
    haze_strength: float
    tint: tuple[float, float, float]
    shadow: float
    side: int
    """-1 where the light comes from the left, 1 from the right."""
    night: bool
    clouds: float


SKIES: dict[str, tuple[tuple[Colour, Colour], ...]] = {
    "day": (((92, 158, 218), (202, 228, 240)), ((116, 178, 226), (226, 236, 236)), ((70, 140, 206), (188, 220, 236))),
    "sunset": (((88, 96, 158), (252, 176, 108)), ((122, 92, 140), (250, 150, 110)), ((70, 110, 160), (255, 204, 130))),
    "night": (((16, 22, 48), (58, 72, 116)), ((22, 24, 44), (84, 74, 108))),
}
TINTS = {"day": (1.0, 1.0, 0.98), "sunset": (1.02, 0.86, 0.74), "night": (0.55, 0.59, 0.79)}


def light_of(time: str, weather: str, indoors: bool, dice: Dice) -> Light:
    """The light for a time and a weather."""
    zenith, horizon = (jitter(tone, dice, 10) for tone in dice.pick(SKIES[time]))
    tint = TINTS[time]
    clouds, haze, shadow = dice.between(0.0, 0.5), 0.35, 0.42
    if weather in ("cloudy", "rain", "fog", "snow"):
        gray: Colour = (44, 48, 62) if time == "night" else (196, 200, 206)
        zenith, horizon = mix(zenith, gray, 0.72), mix(horizon, gray, 0.72)
        clouds, shadow = dice.between(0.7, 1.0), 0.22
        tint = (tint[0] * 0.93, tint[1] * 0.95, tint[2] * 0.99)
    if weather == "fog":
        haze, clouds = 0.95, 0.0
    if indoors:
        tint = {"day": (1.0, 0.99, 0.97), "sunset": (1.02, 0.92, 0.82), "night": (0.84, 0.76, 0.68)}[time]
        haze, shadow = 0.06, 0.3
    if time == "night" and not indoors:
        shadow *= 0.6
    return Light(
        zenith, horizon, mix(horizon, zenith, 0.15), haze, tint, shadow, dice.pick((-1, 1)), time == "night", clouds
    )
