"""Any POLICY that a user can name, opened; and the report document of its exploration."""
