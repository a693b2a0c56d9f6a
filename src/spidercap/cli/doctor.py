"""`spidercap doctor`: what is installed, what is missing and how to get it."""


def doctor() -> None:
    """Print versions, threads, and which optional parts are installed (and how to get the others).

    Example: spidercap doctor
    """
    print("ok")
