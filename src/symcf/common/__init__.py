"""What every package uses: checked options, files that are written whole, the size of the machine."""
