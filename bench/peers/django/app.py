"""Django REST framework on PostgreSQL, with the URLs and the answers of Visadesk, and neither sessions nor audit: a peer of `cargo xtask bench`."""

import datetime
import os
from urllib.parse import urlsplit

import django
from django.conf import settings

url = urlsplit(os.environ["DATABASE_URL"])
settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["rest_framework"],
    USE_TZ=False,
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": url.path[1:],
            "USER": url.username,
            "PASSWORD": url.password,
            "HOST": url.hostname,
            "PORT": url.port,
            "CONN_MAX_AGE": None,
        }
    },
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    },
)
django.setup()

# Only now: the models read the settings.
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.http import HttpResponse
from django.urls import path
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

QUEUES = {
    "newOrdersCount": "New", "priorityOrdersCount": "Priority", "pendingOrdersCount": "Pending",
    "completedOrdersCount": "Completed", "awaitingOrdersCount": "Awaiting", "awaitingGovtCount": "AwaitingGovt",
    "customerCalledCount": "Customer Called", "contactCustomerOrdersCount": "Contact Customer",
    "deletedOrdersCount": "Deleted", "refundOrdersCount": "Refunds", "chargeBackCount": "ChargeBack",
    "futureOrdersCount": "Future",
}


class Staff(models.Model):
    staff_id = models.BigAutoField(primary_key=True)
    name = models.TextField()

    class Meta:
        app_label, managed, db_table = "bench", False, "staff"


class Order(models.Model):
    order_id = models.BigAutoField(primary_key=True)
    process_status = models.TextField()
    processing_mode = models.TextField()
    processing_date = models.DateField(null=True)
    full_name = models.TextField()
    contact_email_address = models.TextField()
    country_code = models.TextField(null=True)
    phone_number = models.TextField(null=True)
    nationality = models.TextField(null=True)
    refund_date = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    owner = models.ForeignKey(Staff, models.DO_NOTHING, null=True, db_column="assign_to")

    class Meta:
        app_label, managed, db_table = "bench", False, "orders"


class SearchText(models.Model):
    order = models.OneToOneField(Order, models.DO_NOTHING, primary_key=True)
    created_at = models.DateTimeField()
    search_text = models.TextField()

    class Meta:
        app_label, managed, db_table = "bench", False, "search_texts"


class Instant(serializers.DateTimeField):
    """As Visadesk prints it: with as many groups of three digits as it takes."""

    def to_representation(self, value):
        rest = value.microsecond
        return value.isoformat(timespec="microseconds" if rest % 1000 else "milliseconds" if rest else "seconds") + "Z"


class Row(serializers.ModelSerializer):
    assign_to = serializers.CharField(source="owner.name", default=None)
    created_at = Instant()
    updated_at = Instant()
    refund_date = Instant()

    class Meta:
        model = Order
        exclude = ["owner"]


def ask(sql, *values):
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor.fetchall()]


COUNTERS = """SELECT key, sum(order_count)::bigint AS orders FROM (
    SELECT key, order_count FROM folder_counters WHERE kind = 'queue'
    UNION ALL SELECT key, order_count FROM folder_counter_deltas WHERE kind = 'queue') AS counters GROUP BY key"""


@api_view(["GET"])
def counts(request):
    queues = {row["key"]: row["orders"] for row in ask(COUNTERS)}
    data = {name: queues.get(queue, 0) for name, queue in QUEUES.items()}
    return Response({"status": 1, "message": "", "data": data | {"allOrdersCount": sum(queues.values())}})


@api_view(["GET"])
def list_orders(request):
    page, limit = int(request.query_params["page"]), int(request.query_params["limit"])
    orders = Order.objects.select_related("owner").order_by("-created_at", "-order_id")
    rows = Row(orders[(page - 1) * limit : page * limit], many=True).data
    total = sum(row["orders"] for row in ask(COUNTERS))
    return Response({"status": 1, "message": "", "data": rows, "total": total, "page": page, "limit": limit})


@api_view(["POST"])
def search(request):
    start, end = request.data["start"], request.data["end"]
    texts = SearchText.objects.filter(search_text__contains=request.data["searchVal"].lower())
    # The ids first: a join with the orders made PostgreSQL read all that match.
    found = list(texts.order_by("-created_at", "-order_id").values_list("order_id", flat=True)[start : end + 1])
    orders = Order.objects.select_related("owner").in_bulk(found[: end - start])
    rows = Row([orders[order_id] for order_id in found[: end - start]], many=True).data
    return Response({"status": 1, "message": "", "data": rows, "more": len(found) > end - start})


@api_view(["GET"])
def detail(request, order_id):
    order = Order.objects.select_related("owner").get(pk=order_id)
    application = ask("SELECT * FROM applications WHERE order_id = %s", order_id)[0]
    data = application | Row(order).data | {"user": {"email": application.pop("account_email")}}
    data.pop("account_email", None)
    payments = ask("SELECT gateway, payment_reference, amount_minor, currency, card_brand FROM payments WHERE order_id = %s", order_id)
    data["payment"] = payments[0] if payments else None
    checkouts = ask("SELECT purchase_ip, user_agent, device_id FROM checkouts WHERE order_id = %s", order_id)
    data["checkout"] = checkouts[0] if checkouts else None
    data["documents"] = ask("SELECT kind, file1 FROM documents WHERE order_id = %s AND kind <> 'visa' ORDER BY document_id", order_id)
    data["mailHistory"] = ask("SELECT mail_id AS id, kind, recipient AS email FROM mails WHERE order_id = %s ORDER BY mail_id", order_id)
    data["remark"] = ask("SELECT remark_id AS id, remark FROM remarks WHERE order_id = %s ORDER BY remark_id", order_id)
    data["timeline"] = ask("SELECT actor, action FROM audit WHERE order_id = %s ORDER BY audit_id DESC LIMIT 200", order_id)
    return Response({"status": 1, "message": "", "data": data})


@api_view(["PUT"])
def assign(request):
    orders, name = request.data["orderId"], request.data["assignto"]
    owner = Staff.objects.get(name=name) if name else None
    chosen = Order.objects.filter(pk__in=orders if isinstance(orders, list) else [orders])
    chosen.update(owner=owner, updated_at=datetime.datetime.now(datetime.UTC).replace(tzinfo=None))
    return Response({"status": 1, "message": "Order has been assigned successfully"})


urlpatterns = [
    path("healthz", lambda request: HttpResponse("ok")),
    path("api/admin/get-all-folder-count", counts),
    path("api/admin/get-orders-list/allOrder", list_orders),
    path("api/admin/search-order", search),
    path("api/admin/get-orders-details/<int:order_id>", detail),
    path("api/admin/assign-order-status", assign),
]
application = get_wsgi_application()
