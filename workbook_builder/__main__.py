"""`python -m workbook_builder` is the command line."""

from workbook_builder.cli import main

main()
