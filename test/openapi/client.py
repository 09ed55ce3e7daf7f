"""A client that openapi-python-client made: a call that is refused gives its message, one that is served what it gives."""

import sys

url, folder = sys.argv[1:]
sys.path.insert(0, folder)

from weir_client import Client  # noqa: E402
from weir_client.api.auth import auth_login  # noqa: E402
from weir_client.api.site import site_status  # noqa: E402
from weir_client.models import AuthLoginBody, Refusal  # noqa: E402

client = Client(base_url=url)
refused = auth_login.sync(client=client, body=AuthLoginBody(username='nobody', password='wrong password'))
assert isinstance(refused, Refusal) and refused.message and refused.success is False, refused
status = site_status.sync(client=client)
assert status.data.system_name == 'Weir', status
print(f'a client made of the document: refused with "{refused.message}"')
