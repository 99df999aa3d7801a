"""WordNets and thesauri."""
