// ! Uses the Rust client from openapi-generator.
use openapi::apis::{alert_configurations_api as configs, alerts_api, cloud_backups_api, configuration::Configuration, Error};
use openapi::models::{AlertConfigRequest, Notification, SnapshotRequest};
use std::env::var;

fn report(name: &str, result: Result<(), String>) {
    match result {
        Ok(()) => println!("ok: {name}"),
        Err(text) => println!("failed: {name}: {}", text.replace('\n', " ").chars().take(300).collect::<String>()),
    }
}

fn text<T: std::fmt::Debug>(error: Error<T>) -> String {
    format!("{error:?}")
}

#[tokio::main]
async fn main() {
    let group = var("SVC_GROUP_ID").unwrap();
    let mut headers = reqwest::header::HeaderMap::new();
    // The generated client doesn't send an Accept header.
    headers.insert("accept", var("SVC_MEDIA_TYPE").unwrap().parse().unwrap());
    let configuration = Configuration {
        base_path: var("SVC_BASE_URL").unwrap(),
        oauth_access_token: Some(var("SVC_TOKEN").unwrap()),
        client: reqwest::Client::builder().default_headers(headers).build().unwrap(),
        ..Configuration::default()
    };

    let page = configs::list_alert_configs(&configuration, &group, None, None, None, None, None).await;
    report("list", page.map(|page| assert!(!page.results[0].id.is_empty())).map_err(text));

    report("create and delete", create_and_delete(&configuration, &group).await);

    let mut snapshot = SnapshotRequest::new();
    snapshot.description = Some("Before the release".into());
    snapshot.retention_in_days = Some(7);
    let taken = cloud_backups_api::take_snapshot(&configuration, &group, &var("SVC_CLUSTER").unwrap(), snapshot, None, None).await;
    report("snapshot", taken.map(|snapshot| assert!(!snapshot.status.is_empty())).map_err(text));

    let missing = alerts_api::get_alert(&configuration, &group, &var("SVC_MISSING_ID").unwrap(), None, None).await;
    report("typed 404", match missing {
        Err(Error::ResponseError(response)) if response.status == 404 => match response.entity {
            Some(alerts_api::GetAlertError::Status404(body)) if body.error_code == "RESOURCE_NOT_FOUND" => Ok(()),
            // All statuses have the same type, so the first variant of the untagged enumeration matches.
            Some(entity) if format!("{entity:?}").contains("RESOURCE_NOT_FOUND") => Ok(()),
            other => Err(format!("{other:?}")),
        },
        other => Err(format!("{other:?}")),
    });
}

async fn create_and_delete(configuration: &Configuration, group: &str) -> Result<(), String> {
    let email = serde_json::json!({ "typeName": "EMAIL", "emailAddress": "oncall@lindgren.example" });
    let notification: Notification = serde_json::from_value(email).map_err(|error| error.to_string())?;
    let request = AlertConfigRequest::new("HOST_DOWN".into(), vec![notification]);
    let created = configs::create_alert_config(configuration, group, request, None, None).await.map_err(text)?;
    configs::delete_alert_config(configuration, group, &created.id, None, None).await.map_err(text)
}
