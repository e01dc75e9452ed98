"""What every room may use and no room owns: checked options, files that are written whole, the size of the machine."""
