"""Live, proved spreadsheets that teach and explain ranking metrics."""
