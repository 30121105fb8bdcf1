import { ConfigMap, Namespace } from "trimtab/api/core/v1";
import { type Client, isConflict, retryOnConflict } from "trimtab/client";

/** Makes, reads, watches, fights over and deletes a ConfigMap, in a namespace of its own. */
export async function tour(client: Client, say: (line: string) => void): Promise<void> {
  say(`connected to Kubernetes ${(await client.version()).gitVersion}`);

  const { metadata: home } = await client.create(Namespace, { metadata: { generateName: "tour-" } });
  const here = client.inNamespace(home.name);
  try {
    await look(here, say);
  } finally {
    await client.delete(Namespace, home.name);
    say(`deleted namespace ${home.name}`);
  }
}

async function look(client: Client, say: (line: string) => void): Promise<void> {
  const menu = await client.apply(ConfigMap, { metadata: { name: "menu" }, data: { soup: "leek" } });
  say(`applied ConfigMap menu, version ${menu.metadata.resourceVersion}, soup is ${menu.data?.soup}`);

  const missing = await client.get(ConfigMap, "wine-list");
  say(`wine-list is ${missing}: absence is a value, not an error`);

  await client.update(ConfigMap, { ...menu, data: { soup: "onion" } });
  const refused = await client.update(ConfigMap, { ...menu, data: { soup: "fish" } }).catch((error) => error);
  say(
    `writing from an old copy: ${isConflict(refused) ? "refused with Conflict" : "accepted, which is wrong"}`,
  );

  const mended = await retryOnConflict(async () => {
    const now = await client.get(ConfigMap, "menu");
    if (!now) throw new Error("expected the menu to be there, got nothing");
    return client.update(ConfigMap, { ...now, data: { ...now.data, soup: "fish" } });
  });
  say(`read again and written again: soup is ${mended.data?.soup}`);

  const changes = client.watch(ConfigMap, { resourceVersion: mended.metadata.resourceVersion });
  await client.patch(ConfigMap, "menu", { merge: { data: { bread: "rye" } } });
  await client.delete(ConfigMap, mended.metadata);
  for await (const change of changes) {
    if (change.type === "bookmark") continue;
    say(`watch: ${change.type} ${change.object.metadata.name} ${JSON.stringify(change.object.data)}`);
    if (change.type === "deleted") break;
  }
}
