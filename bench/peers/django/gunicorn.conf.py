"""How gunicorn serves `app.py`: connections stay open, and each thread keeps its own to the database."""

from os import cpu_count

bind = "127.0.0.1:0"
workers = cpu_count()
worker_class = "gthread"
threads = 4
keepalive = 60
backlog = 2048
loglevel = "warning"


def when_ready(server):
    """Says where it listens, as `cargo xtask bench` expects."""
    print(f"ready at http://127.0.0.1:{server.LISTENERS[0].getsockname()[1]}", flush=True)
