import { Pod } from "trimtab/api/core/v1";
import { type Client, connect, type WatchEvent } from "trimtab/client";
import { type ClientPeer, runClientCase } from "./client-case.ts";

await runClientCase(async ({ kubeconfig }): Promise<ClientPeer> => {
  const client = await connect({ kubeconfig });
  return {
    get: async (key) => (await client.get(Pod, key)) ?? {},
    patchStatus: (key, merge) => client.patch(Pod, key, { merge }, { subresource: "status" }),
    list: (limit) => client.list(Pod, { pageSize: limit || 1_000_000 }),
    watch: (resourceVersion, seen) => watch(client, resourceVersion, (event) => seen(event.object)),
    watchKeys: (resourceVersion, seen) =>
      watch(client, resourceVersion, ({ key: { namespace = "", name } }) => seen({ namespace, name })),
  };
});

async function watch(
  client: Client,
  resourceVersion: string,
  seen: (event: Exclude<WatchEvent<Pod>, { type: "bookmark" }>) => boolean,
): Promise<void> {
  for await (const event of client.watch(Pod, { resourceVersion })) {
    if (event.type !== "bookmark" && seen(event)) return;
  }
}
