//! kube-rs's reflector through the cases of the bench "informer".

mod probe;
mod website;

use std::collections::HashSet;
use std::fmt::Debug;
use std::pin::pin;
use std::time::Instant;

use futures::{Stream, StreamExt};
use k8s_openapi::api::core::v1::Pod;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::runtime::reflector::{self, ObjectRef, Store};
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client, Config, Resource, ResourceExt};
use probe::{Arguments, figure};
use serde::de::DeserializeOwned;
use website::Website;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::given();
    let kubeconfig = Kubeconfig::read_from(arguments.text("kubeconfig"))?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let client = Client::try_from(config)?;
    match arguments.text("resource") {
        "pods" => run::<Pod>(client, &arguments).await,
        _ => run::<Website>(client, &arguments).await,
    }
}

/// Syncs, says what that took, and then sees the events that the case is about.
async fn run<K>(client: Client, arguments: &Arguments) -> Result<(), Box<dyn std::error::Error>>
where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync + 'static,
{
    let (store, writer) = reflector::store::<K>();
    let before = probe::rss_bytes();
    let (cpu, begun) = (probe::cpu_seconds(), Instant::now());
    let watched = watcher(Api::<K>::all(client), watcher::Config::default());
    let mut events = pin!(reflector::reflector(writer, watched));
    while !matches!(next(&mut events).await?, Event::InitDone) {}
    let (seconds, cpu) = (begun.elapsed().as_secs_f64(), probe::cpu_seconds() - cpu);
    let peak = probe::peak_rss_bytes();
    if store.len() != arguments.number("objects") {
        return Err(format!(
            "expected {} objects, got {}",
            arguments.number("objects"),
            store.len()
        )
        .into());
    }
    if arguments.text("operation") == "sync" {
        figure("sync", seconds);
        figure("sync cpu", cpu);
        figure("peak RSS", peak / 1e6);
        figure(
            "per object",
            (probe::rss_bytes() - before) / store.len() as f64,
        );
        return Ok(());
    }
    see(&mut events, &store, arguments).await
}

/// The events of a stream: what they took after the warm-up, or how late they came.
async fn see<K>(
    events: &mut (impl Stream<Item = watcher::Result<Event<K>>> + Unpin),
    store: &Store<K>,
    arguments: &Arguments,
) -> Result<(), Box<dyn std::error::Error>>
where
    K: Resource<DynamicType = ()> + Clone + 'static,
{
    let (size, warmup) = (arguments.number("size"), arguments.number("warmup"));
    let operation = arguments.text("operation");
    arguments.ask_for_stream(size + warmup);
    let mut queue = HashSet::new();
    let mut late = Vec::new();
    let (mut cpu, mut begun) = (probe::cpu_seconds(), Instant::now());
    let mut count = 0;
    while count < size + warmup {
        let Event::Apply(object) = next(events).await? else {
            continue;
        };
        let key = ObjectRef::from_obj(&object);
        match operation {
            "paced" => late.push(probe::now_us() - sent_us(&object)),
            "read" => assert!(store.get(&key).is_some()),
            _ => {}
        }
        queue.insert(key.clone());
        queue.remove(&key);
        count += 1;
        if count == warmup {
            (cpu, begun) = (probe::cpu_seconds(), Instant::now());
            late.clear();
        }
    }
    figure("rate", size as f64 / begun.elapsed().as_secs_f64());
    figure(
        &format!("{operation} cpu"),
        (probe::cpu_seconds() - cpu) * 1e6 / size as f64,
    );
    if operation == "paced" {
        late.sort_unstable();
        figure("p50", late[late.len() / 2] as f64);
        figure("p99", late[late.len() * 99 / 100] as f64);
    }
    Ok(())
}

async fn next<K>(
    events: &mut (impl Stream<Item = watcher::Result<Event<K>>> + Unpin),
) -> Result<Event<K>, Box<dyn std::error::Error>> {
    Ok(events
        .next()
        .await
        .ok_or("expected an event, got the end")??)
}

fn sent_us(object: &impl ResourceExt) -> i64 {
    object.annotations()["bench.trimtab.dev/sent-us"]
        .parse()
        .expect("digits")
}
