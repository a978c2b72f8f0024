"""Uses the Python client of openapi-generator."""
import os

from openapi_client import (
    AlertConfigRequest,
    AlertConfigurationsApi,
    AlertsApi,
    ApiClient,
    CloudBackupsApi,
    Configuration,
    EmailNotification,
    Notification,
    SnapshotRequest,
)
from openapi_client.exceptions import NotFoundException

from steps import step

group, cluster, missing = (os.environ[name] for name in ("SVC_GROUP_ID", "SVC_CLUSTER", "SVC_MISSING_ID"))
client = ApiClient(Configuration(host=os.environ["SVC_BASE_URL"], access_token=os.environ["SVC_TOKEN"]))
configs = AlertConfigurationsApi(client)


@step("list")
def _():
    assert configs.list_alert_configs(group).results[0].id


@step("create and delete")
def _():
    email = EmailNotification(typeName="EMAIL", emailAddress="oncall@lindgren.example")
    created = configs.create_alert_config(
        group, AlertConfigRequest(eventTypeName="HOST_DOWN", notifications=[Notification(email)])
    )
    assert created.notifications[0].actual_instance.email_address == "oncall@lindgren.example"
    assert configs.delete_alert_config(group, created.id) is None


@step("snapshot")
def _():
    request = SnapshotRequest(description="Before the release", retentionInDays=7)
    assert CloudBackupsApi(client).take_snapshot(group, cluster, request).status


@step("typed 404")
def _():
    try:
        AlertsApi(client).get_alert(group, missing)
    except NotFoundException as error:
        assert error.data.error_code == "RESOURCE_NOT_FOUND"
    else:
        raise AssertionError("no error")
