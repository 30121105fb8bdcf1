import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

interface Table {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly columnDefinitions: Array<{ name: string; type: string; format: string; priority: number }>;
  readonly rows: Array<{ cells: unknown[]; object: { kind: string; apiVersion: string } | null }>;
}

const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";

async function tableOf(client: Client, path: `/${string}`, headers = { accept }): Promise<Table> {
  return (await wire(client, `GET ${path}`, { headers })).body as Table;
}

const container = { name: "main", image: "registry.example/a:1" };
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [container] } };
const selector = { matchLabels: { app: "a" } };

interface Printed {
  readonly path: string;
  readonly body: object;
  /** Column names, with `*` for columns of wide tables only and `#` for numbers. */
  readonly columns: string;
  readonly cells: readonly unknown[];
}

const kinds: readonly Printed[] = [
  {
    path: "api/v1/NS/pods",
    body: { spec: { containers: [container] } },
    columns: "Name, Ready, Status, Restarts, Age, IP*, Node*, Nominated Node*, Readiness Gates*",
    cells: ["a", "0/1", "Pending", "0", "<age>", "<none>", "<none>", "<none>", "<none>"],
  },
  {
    path: "apis/apps/v1/NS/deployments",
    body: { spec: { selector, template } },
    columns: "Name, Ready, Up-to-date, Available, Age, Containers*, Images*, Selector*",
    cells: ["a", "0/1", 0, 0, "<age>", "main", "registry.example/a:1", "app=a"],
  },
  {
    path: "apis/apps/v1/NS/replicasets",
    body: { spec: { selector, template } },
    columns: "Name, Desired#, Current#, Ready#, Age, Containers*, Images*, Selector*",
    cells: ["a", 1, 0, 0, "<age>", "main", "registry.example/a:1", "app=a"],
  },
  {
    path: "apis/apps/v1/NS/statefulsets",
    body: { spec: { selector, template, serviceName: "a" } },
    columns: "Name, Ready, Age, Containers*, Images*",
    cells: ["a", "0/1", "<age>", "main", "registry.example/a:1"],
  },
  {
    path: "apis/apps/v1/NS/daemonsets",
    body: { spec: { selector, template } },
    columns:
      "Name, Desired#, Current#, Ready#, Up-to-date#, Available#, Node Selector, Age, Containers*, Images*, Selector*",
    cells: ["a", 0, 0, 0, 0, 0, "<none>", "<age>", "main", "registry.example/a:1", "app=a"],
  },
  {
    path: "apis/batch/v1/NS/jobs",
    body: { spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } } },
    columns: "Name, Status, Completions, Duration, Age, Containers*, Images*, Selector*",
    cells: ["a", "Running", "0/1", "", "<age>", "main", "registry.example/a:1", "<controller>"],
  },
  {
    path: "api/v1/NS/services",
    body: { spec: { clusterIP: "None", ports: [{ port: 80 }], selector: { app: "a" } } },
    columns: "Name, Type, Cluster-IP, External-IP, Port(s), Age, Selector*",
    cells: ["a", "ClusterIP", "None", "<none>", "80/TCP", "<age>", "app=a"],
  },
  {
    path: "api/v1/NS/configmaps",
    body: { data: { k: "v" } },
    columns: "Name, Data, Age",
    cells: ["a", 1, "<age>"],
  },
  {
    path: "api/v1/NS/secrets",
    body: { stringData: { k: "v" } },
    columns: "Name, Type, Data, Age",
    cells: ["a", "Opaque", 1, "<age>"],
  },
  { path: "api/v1/NS/serviceaccounts", body: {}, columns: "Name, Age", cells: ["a", "<age>"] },
  {
    path: "apis/coordination.k8s.io/v1/NS/leases",
    body: { spec: { holderIdentity: "me" } },
    columns: "Name, Holder, Age",
    cells: ["a", "me", "<age>"],
  },
  {
    path: "apis/policy/v1/NS/poddisruptionbudgets",
    body: { spec: { minAvailable: 1, selector } },
    columns: "Name, Min Available, Max Unavailable, Allowed Disruptions#, Age",
    cells: ["a", "1", "N/A", 0, "<age>"],
  },
];

for (const { path, body, columns, cells } of kinds) {
  scenario(`a table of ${path.split("/").at(-1)} has its columns`, async ({ client, namespace, expect }) => {
    const local = `/${path.replace("NS", `namespaces/${namespace}`)}` as const;
    await wire(client, `POST ${local}`, { body: { metadata: { name: "a" }, ...body } });
    const { columnDefinitions, rows } = await tableOf(client, `${local}/a`);
    expect(columnDefinitions.map(columnText).join(", ")).toBe(columns);
    expect(rows.map((row) => row.cells.map(cellText))).toEqual([cells]);
  });
}

function columnText({ name, priority, type }: Table["columnDefinitions"][number]): string {
  return `${name}${priority > 0 ? "*" : ""}${type === "integer" ? "#" : ""}`;
}

function cellText(cell: unknown): unknown {
  if (typeof cell !== "string") return cell;
  return cell
    .replace(/^\d+s$/, "<age>")
    .replace(/^batch.kubernetes.io.controller-uid=[-0-9a-f]{36}$/, "<controller>");
}

scenario(
  "tables of events, nodes and namespaces have their columns",
  async ({ client, namespace, expect }) => {
    const columnsOf = async (path: `/${string}`) =>
      (await tableOf(client, path)).columnDefinitions.map(columnText).join(", ");
    expect(await columnsOf(`/api/v1/namespaces/${namespace}/events`)).toBe(
      "Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, Name*",
    );
    expect(await columnsOf("/api/v1/nodes")).toBe(
      "Name, Status, Roles, Age, Version, Internal-IP*, External-IP*, OS-Image*, Kernel-Version*, Container-Runtime*",
    );
    expect(await columnsOf(`/api/v1/namespaces/${namespace}`)).toBe("Name, Status, Age");
    expect(await columnsOf(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`)).toBe(
      "Name, Created At",
    );
  },
);

scenario("the rows of a list have the metadata of its objects", async ({ client, namespace, expect }) => {
  for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { name } });
  const table = await tableOf(client, `/api/v1/namespaces/${namespace}/configmaps?limit=1`);
  expect({ kind: table.kind, apiVersion: table.apiVersion }).toEqual({
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
  });
  expect(table.metadata).toEqual({
    resourceVersion: expect.stringMatching(/^\d+$/),
    continue: expect.any(String),
    remainingItemCount: 1,
  });
  expect(table.rows.map(({ object }) => [object?.kind, object?.apiVersion])).toEqual([
    ["PartialObjectMetadata", "meta.k8s.io/v1"],
  ]);
});

scenario(
  "rows contain the object, its metadata, or nothing, as requested",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const path = `/api/v1/namespaces/${namespace}/configmaps?includeObject=` as const;
    const kindOf = async (include: string) =>
      (await tableOf(client, `${path}${include}`)).rows[0]?.object?.kind;
    expect([
      await kindOf("Metadata"),
      await kindOf("Object"),
      await kindOf("None"),
      await kindOf(""),
    ]).toEqual(["PartialObjectMetadata", "ConfigMap", undefined, "PartialObjectMetadata"]);
    expect(statusMessage(await wire(client, `GET ${path}Nope`, { headers: { accept } }))).toEqual([
      400,
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Nope\": must be 'Metadata', 'Object', 'None', or empty",
    ]);
  },
);

scenario(
  "a table can be requested as kubectl does, and an error is a Status",
  async ({ client, namespace, expect }) => {
    const headers = {
      accept: `${accept},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`,
    };
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    expect((await tableOf(client, path, headers)).kind).toBe("Table");
    expect(statusMessage(await wire(client, `GET ${path}/none`, { headers }))).toEqual([
      404,
      'configmaps "none" not found',
    ]);
  },
);

scenario("creates and updates can return a table", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  const headers = { accept };
  const made = await wire(client, `POST ${path}`, { body: { metadata: { name: "a" } }, headers });
  expect([made.status, (made.body as Table).kind]).toEqual([201, "Table"]);
  const deleted = await wire(client, `DELETE ${path}/a`, { headers });
  expect((deleted.body as Table).kind).toBe("Status");
});

scenario("a review has no table", async ({ client, expect }) => {
  const body = { spec: { nonResourceAttributes: { path: "/", verb: "get" } } };
  const line = "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  expect((await wire(client, line, { body, headers: { accept } })).status).toBe(406);
});

scenario(
  "a single object is not available as a list of metadata, nor a list as a single one",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const ask = async (path: string, as: string) =>
      statusMessage(
        await wire(client, `GET /api/v1/namespaces/${namespace}/configmaps${path}`, {
          headers: { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` },
        }),
      );
    expect(await ask("", "PartialObjectMetadata")).toEqual([
      406,
      "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
    ]);
    expect(await ask("/a", "PartialObjectMetadataList")).toEqual([
      406,
      "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
    ]);
  },
);
