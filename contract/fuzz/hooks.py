"""What Schemathesis needs to know about Visadesk: who calls what, and which orders exist.

`cargo xtask test --only fuzz` starts a server with demo data and sets the environment that is read here.
"""

import os

import requests
import schemathesis
from hypothesis import strategies as st

URL = os.environ["VISADESK_FUZZ_URL"]
STAFF = {"email": os.environ["VISADESK_FUZZ_EMAIL"], "password": os.environ["VISADESK_FUZZ_PASSWORD"]}
API_KEY = os.environ["VISADESK_FUZZ_API_KEY"]

# The share of generated bodies and paths that name an order or a member that exists.
KNOWN = 2, 3


class Callers:
    """The credentials of the three kinds of callers, by the name of their security scheme."""

    def __init__(self):
        self.headers = {"api_key": {"X-Api-Key": API_KEY}}
        self.sign_in()
        folder = self.get("/api/admin/get-orders-list/allOrder?limit=100")
        self.orders = [row["order_id"] for row in folder["data"]]
        members = self.get("/api/admin/get-team-member-list")["data"]
        self.self_id = next(one["id"] for one in members if one["email"] == STAFF["email"])
        self.members = [one["id"] for one in members if one["id"] != self.self_id]
        keys = self.get("/api/admin/api-keys")["data"]
        self.key_id = next(one["id"] for one in keys if API_KEY.startswith(one["start"]))
        completed = self.get("/api/admin/get-orders-list/completedOrder?limit=1")["data"][0]
        self.tracked = {"orderId": str(completed["order_id"]), "email": completed["contact_email_address"]}
        self.track()

    def get(self, path):
        response = requests.get(URL + path, headers=self.headers["staff_token"], timeout=60)
        response.raise_for_status()
        return response.json()

    def sign_in(self):
        token = post("/api/admin/admin-login", STAFF)["jwtToken"]
        self.headers["staff_token"] = {"Authorization": token}

    def track(self):
        token = post("/api/front/track-order", self.tracked)["visitorToken"]
        self.headers["visitor_grant"] = {"Authorization": token}


def post(path, body):
    response = requests.post(URL + path, json=body, timeout=60)
    response.raise_for_status()
    return response.json()


CALLERS = Callers()


def scheme_of(operation):
    security = operation.definition.raw.get("security") or [{}]
    return next(iter(security[0]), None)


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Calls each operation as its caller."""
    headers = CALLERS.headers.get(scheme_of(case.operation), {})
    case.headers = {**(case.headers or {}), **headers}
    # The caller's own account stays as it is: another password or type would end the session.
    if case.operation.definition.raw["operationId"] == "update_team_member" and isinstance(case.body, dict):
        if CALLERS.self_id == case.body.get("tmId"):
            case.body["tmId"] = CALLERS.members[0]
    # So does the key that the sales site's calls are made with.
    if case.operation.definition.raw["operationId"] == "revoke_api_key" and isinstance(case.body, dict):
        if CALLERS.key_id == case.body.get("apiKeyId"):
            case.body["apiKeyId"] += 1


@schemathesis.hook
def after_call(ctx, case, response):
    """Signs in again where a session or a grant has ended."""
    scheme = scheme_of(case.operation)
    if response.status_code == 401 and scheme == "staff_token":
        CALLERS.sign_in()
    if response.status_code == 401 and scheme == "visitor_grant":
        CALLERS.track()


def known(values):
    """One of the values, or none."""
    some, of = KNOWN
    return st.integers(1, of).flatmap(lambda draw: st.sampled_from(values) if values and draw <= some else st.none())


@schemathesis.hook
def flatmap_body(ctx, body):
    """Lets most bodies name an order or a member that exists."""
    if not isinstance(body, dict):
        return st.just(body)
    visitor = scheme_of(ctx.operation) == "visitor_grant"
    orders = [CALLERS.tracked["orderId"]] if visitor else CALLERS.orders

    def put(drawn):
        order, member = drawn
        known_ids = {"tmId": member, "teamMemberId": member}
        if isinstance(body.get("orderId"), str):
            known_ids["orderId"] = order and str(order)
        else:
            known_ids["orderId"] = order and [order] if isinstance(body.get("orderId"), list) else order
        return {name: known_ids.get(name) or value for name, value in body.items()}

    return st.tuples(known(orders), known(CALLERS.members)).map(put)


@schemathesis.hook
def flatmap_path_parameters(ctx, parameters):
    """Lets most paths name an order or a member that exists."""

    def put(drawn):
        order, member = drawn
        known_ids = {"orderId": order, "id": order if "orders" in ctx.operation.path else member}
        return {name: str(known_ids.get(name) or value) for name, value in parameters.items()}

    return st.tuples(known(CALLERS.orders), known(CALLERS.members)).map(put) if parameters else st.just(parameters)
