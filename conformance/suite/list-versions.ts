import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { impatient } from "../impatient.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

interface List {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: ConfigMap[];
}

function pathIn(namespace: string): `/${string}` {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

async function list(client: Client, path: `/${string}`): Promise<List> {
  return (await wire(client, `GET ${path}`)).body as List;
}

function namesOf({ items }: List): string[] {
  return items.map(({ metadata }) => metadata.name);
}

/** Creates three objects, and returns the resource versions after each create. */
async function three(client: Client): Promise<string[]> {
  const versions: string[] = [];
  for (const name of ["a", "b", "c"]) {
    const { metadata } = await client.create(ConfigMap, { metadata: { name, labels: { x: name } } });
    versions.push(metadata.resourceVersion);
  }
  return versions;
}

scenario(
  "a page with a resourceVersion is at that version, unless it may be newer",
  async ({ client, namespace, expect }) => {
    const [first] = await three(client);
    const path = pathIn(namespace);
    expect(namesOf(await list(client, `${path}?limit=5&resourceVersion=${first}`))).toEqual(["a"]);
    expect(namesOf(await list(client, `${path}?resourceVersion=${first}`))).toEqual(["a", "b", "c"]);
    const newer = `limit=1&resourceVersion=${first}&resourceVersionMatch=NotOlderThan`;
    expect(namesOf(await list(client, `${path}?${newer}`))).toEqual(["a"]);
    const exact = await list(client, `${path}?resourceVersion=${first}&resourceVersionMatch=Exact`);
    expect([namesOf(exact), exact.metadata.resourceVersion]).toEqual([["a"], first]);
  },
);

scenario("a list with resourceVersion 0 ignores the limit", async ({ client, namespace, expect }) => {
  await three(client);
  await expect
    .poll(async () => namesOf(await list(client, `${pathIn(namespace)}?limit=1&resourceVersion=0`)))
    .toEqual(["a", "b", "c"]);
});

scenario("the last page needs no limit", async ({ client, namespace, expect }) => {
  await three(client);
  const path = pathIn(namespace);
  const { metadata } = await list(client, `${path}?limit=1`);
  expect(metadata.remainingItemCount).toBe(2);
  const rest = await list(client, `${path}?continue=${metadata.continue}`);
  expect([namesOf(rest), rest.metadata.continue, rest.metadata.resourceVersion]).toEqual([
    ["b", "c"],
    undefined,
    metadata.resourceVersion,
  ]);
});

scenario("later pages show the state of the first page", async ({ client, namespace, expect }) => {
  await three(client);
  const path = pathIn(namespace);
  const { metadata } = await list(client, `${path}?limit=1`);
  await client.delete(ConfigMap, "b");
  await client.create(ConfigMap, { metadata: { name: "bb" } });
  expect(namesOf(await list(client, `${path}?limit=5&continue=${metadata.continue}`))).toEqual(["b", "c"]);
});

scenario(
  "an inconsistent continue token continues with the current state",
  async ({ client, namespace, expect }) => {
    await three(client);
    const path = pathIn(namespace);
    const { metadata } = await list(client, `${path}?limit=1`);
    const token = JSON.parse(Buffer.from(metadata.continue ?? "", "base64url").toString());
    expect(token.v).toBe("meta.k8s.io/v1");
    await client.delete(ConfigMap, "b");
    await client.create(ConfigMap, { metadata: { name: "bb" } });
    const inconsistent = Buffer.from(JSON.stringify({ ...token, rv: -1 })).toString("base64url");
    expect(namesOf(await list(client, `${path}?limit=5&continue=${inconsistent}`))).toEqual(["bb", "c"]);
  },
);

scenario("a page is filled with selected objects", async ({ client, namespace, expect }) => {
  await three(client);
  const path = pathIn(namespace);
  const page = await list(client, `${path}?limit=1&labelSelector=x%20in%20(b,c)`);
  expect([namesOf(page), page.metadata.remainingItemCount]).toEqual([["b"], undefined]);
  const next = await list(
    client,
    `${path}?limit=1&labelSelector=x%20in%20(b,c)&continue=${page.metadata.continue}`,
  );
  expect([namesOf(next), next.metadata.continue]).toEqual([["c"], undefined]);
});

scenario("resourceVersionMatch values exclude each other", async ({ client, namespace, expect }) => {
  await three(client);
  const path = pathIn(namespace);
  const { metadata } = await list(client, `${path}?limit=1`);
  const messageOf = async (query: string) => statusMessage(await wire(client, `GET ${path}?${query}`));
  const head = 'ListOptions.meta.k8s.io "" is invalid:';
  expect(await messageOf("resourceVersion=0&resourceVersionMatch=Exact")).toEqual([
    422,
    `${head} resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"`,
  ]);
  expect(await messageOf("resourceVersion=1&resourceVersionMatch=Nope")).toEqual([
    422,
    `${head} resourceVersionMatch: Unsupported value: "Nope": supported values: "Exact", "NotOlderThan", ""`,
  ]);
  expect(await messageOf(`limit=1&continue=${metadata.continue}&resourceVersionMatch=Exact`)).toEqual([
    422,
    `${head} [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]`,
  ]);
  expect(await messageOf("sendInitialEvents=true")).toEqual([
    422,
    `${head} sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list`,
  ]);
  expect(await messageOf("resourceVersion=abc")).toEqual([
    400,
    'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  ]);
});

scenario("a request for a future resourceVersion times out", async (stage) => {
  const { client, namespace, expect } = stage;
  await three(client);
  const asked = [
    `${pathIn(namespace)}?resourceVersion=999999999`,
    `${pathIn(namespace)}/a?resourceVersion=999999999`,
  ];
  for (const { status, headers, body } of await Promise.all(asked.map((path) => impatient(stage, path)))) {
    expect({ status, after: headers["retry-after"], body }).toEqual({
      status: 504,
      after: "1",
      body: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: expect.stringMatching(/^Timeout: Too large resource version: 999999999, current: \d+$/),
        reason: "Timeout",
        details: {
          causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
          retryAfterSeconds: 1,
        },
        code: 504,
      },
    });
  }
});

scenario("resource versions are global across kinds", async ({ client, namespace, expect }) => {
  const [first = "", second = "", third = ""] = await three(client);
  expect([Number(first) < Number(second), Number(second) < Number(third)]).toEqual([true, true]);
  const { metadata } = await list(client, `/api/v1/namespaces/${namespace}/secrets`);
  expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(third));
});

scenario(
  "list items have no kind, and an empty list has an empty items array",
  async ({ client, namespace, expect }) => {
    const empty = await list(client, pathIn(namespace));
    expect(empty).toEqual({
      kind: "ConfigMapList",
      apiVersion: "v1",
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      items: [],
    });
    await three(client);
    const { items } = await list(client, pathIn(namespace));
    expect(items.map((item) => "kind" in item || "apiVersion" in item)).toEqual([false, false, false]);
  },
);

scenario(
  "a continue token of a compacted version has expired, and the error has a new token",
  async ({ client, namespace, expect }) => {
    await three(client);
    const path = pathIn(namespace);
    const { metadata } = await list(client, `${path}?limit=1`);
    const token = JSON.parse(Buffer.from(metadata.continue ?? "", "base64url").toString());
    const old = Buffer.from(JSON.stringify({ ...token, rv: 1 })).toString("base64url");
    const continued = () => wire(client, `GET ${path}?limit=1&continue=${old}`);
    // Versions are compacted after a while, which depends on the server.
    await expect.poll(async () => (await continued()).status, { timeout: 50_000, interval: 1_000 }).toBe(410);
    const { body } = await continued();
    expect(body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: { continue: expect.any(String) },
      status: "Failure",
      message:
        "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
      reason: "Expired",
      code: 410,
    });
    const rest = await list(client, `${path}?limit=5&continue=${(body as List).metadata.continue}`);
    expect(namesOf(rest)).toEqual(["b", "c"]);
    expect(
      statusMessage(await wire(client, `GET ${path}?resourceVersion=1&resourceVersionMatch=Exact`)),
    ).toEqual([410, "The resourceVersion for the provided list is too old."]);
  },
);
