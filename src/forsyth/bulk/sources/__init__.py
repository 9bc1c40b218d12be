"""Reading files of all formats: patterns to files, files to shards, shards to record batches."""
