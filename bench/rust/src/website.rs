use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// The custom objects of the stub.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize)]
#[kube(
    group = "bench.trimtab.dev",
    version = "v1",
    kind = "Website",
    namespaced,
    status = "WebsiteStatus",
    schema = "disabled"
)]
#[serde(rename_all = "camelCase")]
pub struct WebsiteSpec {
    pub host: String,
    pub image: String,
    pub replicas: i32,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WebsiteStatus {
    pub conditions: Vec<Condition>,
    pub observed_generation: i64,
    pub ready_replicas: i32,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    pub last_transition_time: String,
    pub message: String,
    pub reason: String,
    pub status: String,
    pub r#type: String,
}
