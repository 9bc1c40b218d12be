"""Complete jobs on files, from the sources to the target and the report."""
