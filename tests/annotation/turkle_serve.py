"""Run inside the environment of a Turkle: make its database, a requester and workers, and serve it on a free port.

The port and the requester's token are printed as one line of JSON.
"""

from __future__ import annotations

import json
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def main(workers: list[str]) -> None:
    """Serve until killed; every worker's password is its name."""
    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    from rest_framework.authtoken.models import Token

    call_command("migrate", verbosity=0)
    requester = User.objects.create_superuser("requester", password="requester")  # noqa: S106
    for name in workers:
        User.objects.create_user(name, password=name)
    server = make_server("127.0.0.1", 0, get_wsgi_application(), server_class=_Server, handler_class=_Quiet)
    token = Token.objects.create(user=requester).key
    sys.stdout.write(json.dumps({"port": server.server_port, "token": token}) + "\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
