"""Policy files: read with positions, checked, built."""
