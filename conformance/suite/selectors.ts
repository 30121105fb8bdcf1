import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

function pathIn(namespace: string): `/${string}` {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

async function chosen(client: Client, path: `/${string}`, query: Record<string, string>): Promise<string> {
  const { body } = await wire(client, `GET ${path}?${new URLSearchParams(query)}`);
  return (body as { items: ConfigMap[] }).items.map(({ metadata }) => metadata.name).join(" ");
}

scenario("every label selector operator", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a", labels: { n: "1", t: "x" } } });
  await client.create(ConfigMap, { metadata: { name: "b", labels: { n: "5", t: "x" } } });
  await client.create(ConfigMap, { metadata: { name: "c", labels: { t: "y" } } });
  const cases = {
    "": "a b c",
    "t=x": "a b",
    "t==x": "a b",
    "t!=x": "c",
    "n!=1": "b c",
    "t in (x,y)": "a b c",
    "n notin (1)": "b c",
    n: "a b",
    "!n": "c",
    "n>3": "b",
    "n<3": "a",
    "t=x,n=1": "a",
    "t=x, n in (5)": "b",
    "t=": "",
  };
  for (const [labelSelector, names] of Object.entries(cases)) {
    expect([labelSelector, await chosen(client, pathIn(namespace), { labelSelector })]).toEqual([
      labelSelector,
      names,
    ]);
  }
});

scenario("every field selector operator", async ({ client, namespace, expect }) => {
  for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { name } });
  const cases = {
    "metadata.name=a": "a",
    "metadata.name==a": "a",
    "metadata.name!=a": "b",
    [`metadata.name=a,metadata.namespace=${namespace}`]: "a",
    "metadata.namespace=other": "",
    "metadata.name=a\\,b": "",
  };
  for (const [fieldSelector, names] of Object.entries(cases)) {
    expect([fieldSelector, await chosen(client, pathIn(namespace), { fieldSelector })]).toEqual([
      fieldSelector,
      names,
    ]);
  }
});

scenario(
  "the error for an unsupported field selector depends on the kind",
  async ({ client, namespace, expect }) => {
    const messageOf = async (path: string) =>
      statusMessage(
        await wire(
          client,
          `GET /${path.replace("NS", `namespaces/${namespace}`)}?fieldSelector=spec.foo%3Dx`,
        ),
      );
    const usual = '"spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"';
    expect(await messageOf("api/v1/NS/configmaps")).toEqual([400, usual]);
    expect(await messageOf("apis/apps/v1/NS/deployments")).toEqual([400, usual]);
    expect(await messageOf("api/v1/NS/pods")).toEqual([400, "field label not supported: spec.foo"]);
    expect(await messageOf("apis/batch/v1/NS/jobs")).toEqual([
      400,
      'field label "spec.foo" not supported for Job',
    ]);
  },
);

scenario("fields by which kinds can be selected", async ({ client, namespace, expect }) => {
  const known: Readonly<Record<string, readonly string[]>> = {
    "api/v1/NS/pods": [
      "spec.nodeName",
      "spec.host",
      "spec.restartPolicy",
      "spec.schedulerName",
      "spec.serviceAccountName",
      "spec.hostNetwork",
      "status.phase",
      "status.podIP",
      "status.podIPs",
      "status.nominatedNodeName",
    ],
    "api/v1/NS/secrets": ["type"],
    "api/v1/NS/services": ["spec.clusterIP", "spec.type"],
    "api/v1/NS/replicationcontrollers": ["status.replicas"],
    "api/v1/nodes": ["spec.unschedulable"],
    "api/v1/namespaces": ["status.phase"],
    "api/v1/NS/events": [
      "involvedObject.kind",
      "involvedObject.namespace",
      "involvedObject.name",
      "involvedObject.uid",
      "involvedObject.apiVersion",
      "involvedObject.resourceVersion",
      "involvedObject.fieldPath",
      "reason",
      "reportingComponent",
      "source",
      "type",
    ],
    "apis/events.k8s.io/v1/NS/events": [
      "regarding.kind",
      "regarding.name",
      "regarding.namespace",
      "reason",
      "type",
    ],
    "apis/batch/v1/NS/jobs": ["status.successful"],
    "apis/certificates.k8s.io/v1/certificatesigningrequests": ["spec.signerName"],
  };
  for (const [path, fields] of Object.entries(known)) {
    const selector = fields.map((field) => `${field}=none`).join(",");
    const query = new URLSearchParams({ fieldSelector: selector });
    const { status, text } = await wire(
      client,
      `GET /${path.replace("NS", `namespaces/${namespace}`)}?${query}`,
    );
    expect([path, status, text.includes('"items":[]')]).toEqual([path, 200, true]);
  }
});

scenario("absent fields are selected as empty, false or none", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/pods` as const;
  const spec = { containers: [{ name: "main", image: "registry.example/a:1" }] };
  await wire(client, `POST ${path}`, { body: { metadata: { name: "a" }, spec } });
  for (const fieldSelector of [
    "spec.nodeName=",
    "spec.hostNetwork=false",
    "status.phase=Pending",
    "status.podIP=",
  ]) {
    expect([fieldSelector, await chosen(client, path, { fieldSelector })]).toEqual([fieldSelector, "a"]);
  }
});
