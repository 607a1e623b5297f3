"""What users write: tools, rules, requirements, and the policy that binds them."""
