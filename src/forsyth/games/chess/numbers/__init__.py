"""Chess positions as numbers: key, packed bytes, features and planes, also for whole columns of texts."""
