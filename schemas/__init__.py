"""Tables, canonical files, hashes and errors: what every other room stands on."""
