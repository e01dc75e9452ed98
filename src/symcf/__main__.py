"""``python -m symcf`` is ``symcf``."""

from symcf.cli import main

if __name__ == "__main__":
    main()
