"""One kit for every HTML page: templates, style sheet, table and charts."""
