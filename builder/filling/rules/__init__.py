"""The rules of agreement, a module each: what must change around an NC when its gender or number changes."""
