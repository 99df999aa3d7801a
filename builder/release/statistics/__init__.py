"""What a release is like: values of its rows, their summaries, one page for people, and figures."""
