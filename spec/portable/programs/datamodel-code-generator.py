"""Uses the models of datamodel-code-generator, which generates no client."""
import json
import os
import urllib.error
import urllib.request

import models
from steps import step

group, cluster, missing = (os.environ[name] for name in ("SVC_GROUP_ID", "SVC_CLUSTER", "SVC_MISSING_ID"))


def send(method, path, body=None):
    headers = {"Accept": os.environ["SVC_MEDIA_TYPE"], "Authorization": f"Bearer {os.environ['SVC_TOKEN']}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
        body = body.model_dump_json(by_alias=True, exclude_unset=True).encode()
    request = urllib.request.Request(os.environ["SVC_BASE_URL"] + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        text = error.read()
    return json.loads(text) if text else None


@step("list")
def _():
    page = send("GET", f"/groups/{group}/alertConfigs")
    assert models.PaginatedAlertConfigs.model_validate(page).results[0].id


@step("create and delete")
def _():
    body = models.AlertConfigRequest.model_validate(
        {"eventTypeName": "HOST_DOWN", "notifications": [{"typeName": "EMAIL", "emailAddress": "oncall@lindgren.example"}]}
    )
    created = models.AlertConfig.model_validate(send("POST", f"/groups/{group}/alertConfigs", body))
    assert send("DELETE", f"/groups/{group}/alertConfigs/{created.id.root}") is None


@step("snapshot")
def _():
    body = models.SnapshotRequest(description="Before the release", retentionInDays=7)
    taken = send("POST", f"/groups/{group}/clusters/{cluster}/backup/snapshots", body)
    assert models.ReplicaSetSnapshot.model_validate(taken).status


@step("typed 404")
def _():
    error = models.ApiError.model_validate(send("GET", f"/groups/{group}/alerts/{missing}"))
    assert error.errorCode == "RESOURCE_NOT_FOUND"
