"""Uses the client of openapi-python-client."""
import os

from cloud_database_administration_api_client import AuthenticatedClient
from cloud_database_administration_api_client.api.alert_configurations import (
    create_alert_config,
    delete_alert_config,
    list_alert_configs,
)
from cloud_database_administration_api_client.api.alerts import get_alert
from cloud_database_administration_api_client.api.cloud_backups import take_snapshot
from cloud_database_administration_api_client.models import (
    AlertConfigRequest,
    ApiError,
    EmailNotification,
    SnapshotRequest,
)

from steps import step

group, cluster, missing = (os.environ[name] for name in ("SVC_GROUP_ID", "SVC_CLUSTER", "SVC_MISSING_ID"))
client = AuthenticatedClient(
    base_url=os.environ["SVC_BASE_URL"],
    token=os.environ["SVC_TOKEN"],
    headers={"Accept": os.environ["SVC_MEDIA_TYPE"]},
)


@step("list")
def _():
    assert list_alert_configs.sync(group, client=client).results[0].id


@step("create and delete")
def _():
    email = EmailNotification(type_name="EMAIL", email_address="oncall@lindgren.example")
    body = AlertConfigRequest(event_type_name="HOST_DOWN", notifications=[email])
    created = create_alert_config.sync(group, client=client, body=body)
    assert created.notifications[0].email_address == "oncall@lindgren.example"
    assert delete_alert_config.sync_detailed(group, created.id, client=client).status_code == 204


@step("snapshot")
def _():
    body = SnapshotRequest(description="Before the release", retention_in_days=7)
    assert take_snapshot.sync(group, cluster, client=client, body=body).status


@step("typed 404")
def _():
    error = get_alert.sync(group, missing, client=client)
    assert isinstance(error, ApiError) and error.error_code == "RESOURCE_NOT_FOUND"
