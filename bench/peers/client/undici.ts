import { readFileSync } from "node:fs";
import { Client, type Dispatcher, Pool } from "undici";
import { givenArguments } from "../probe.ts";
import {
  type Access,
  type ClientPeer,
  type PodKey,
  type PodLike,
  podKey,
  runClientCase,
} from "./client-case.ts";

/** Only undici and `JSON.parse`: careful code without a client. With `--h2=true`, over HTTP/2. */
await runClientCase(async ({ secure, ca }: Access): Promise<ClientPeer> => {
  const allowH2 = givenArguments().h2 === "true";
  const connect = { ca: readFileSync(ca, "utf8") };
  const shape = allowH2 ? { connections: 1, pipelining: 100 } : { connections: 16, pipelining: 1 };
  const pool = new Pool(secure, { ...shape, allowH2, connect });

  return {
    get: (key) => request<PodLike>(pool, { method: "GET", path: pathOf(key) }),
    patchStatus: (key, patch) =>
      request<PodLike>(pool, {
        method: "PATCH",
        path: `${pathOf(key)}/status`,
        headers: { "content-type": "application/merge-patch+json" },
        body: JSON.stringify(patch),
      }),
    list: (limit) => list(pool, limit),
    watch: watchPods,
    watchKeys: (resourceVersion, seen) => watchPods(resourceVersion, (pod) => seen(podKey(pod))),
  };

  async function watchPods(resourceVersion: string, seen: (pod: PodLike) => boolean): Promise<void> {
    const client = new Client(secure, { allowH2, connect, bodyTimeout: 0, headersTimeout: 0 });
    await watch(client, resourceVersion, seen);
    await client.destroy();
  }
});

function pathOf({ namespace, name }: PodKey): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

async function request<T>(pool: Pool, options: Dispatcher.RequestOptions): Promise<T> {
  const { body } = await pool.request(options);
  // The stub's responses have these types.
  return (await body.json()) as T;
}

interface Page {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly PodLike[];
}

async function list(pool: Pool, limit: number): Promise<PodLike[]> {
  const all: PodLike[] = [];
  let more = "";
  do {
    const query = limit === 0 ? "" : `?limit=${limit}${more}`;
    const page: Page = await request<Page>(pool, { method: "GET", path: `/api/v1/pods${query}` });
    all.push(...page.items);
    more = page.metadata.continue === undefined ? "" : `&continue=${page.metadata.continue}`;
  } while (more !== "");
  return all;
}

async function watch(
  client: Client,
  resourceVersion: string,
  seen: (pod: PodLike) => boolean,
): Promise<void> {
  const path = `/api/v1/pods?watch=true&resourceVersion=${resourceVersion}`;
  const { body } = await client.request({ method: "GET", path });
  body.setEncoding("utf8");
  let rest = "";
  for await (const text of body) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (seen(JSON.parse(line).object)) return;
  }
}
