"""What is read: files of every format, cut into shards, as record batches."""
