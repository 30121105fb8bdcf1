import { ConfigMap } from "trimtab/api/core/v1";
import { scenario } from "../scenario.ts";

scenario("a client that opens a watch and never reads does not block writes", async (stage) => {
  const { client, namespace, expect } = stage;
  const path = `/api/v1/namespaces/${namespace}/configmaps?watch=true`;
  const silent = await client.transport.open({ method: "GET", path });
  try {
    silent.pause();
    const text = "x".repeat(100_000);
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
    for (const name of names) await client.create(ConfigMap, { metadata: { name }, data: { text } });
    const listed = await client.list(ConfigMap);
    expect(listed.filter(({ metadata }) => names.includes(metadata.name)).length).toBe(names.length);
  } finally {
    silent.close();
  }
});
