"""`python -m spidercap` is the command `spidercap`."""

from spidercap.cli import main

if __name__ == "__main__":
    main()
