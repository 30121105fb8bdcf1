import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import type { Span, SpanDefinition, Tracer } from "../base/index.ts";
import { controller } from "../controller/index.ts";
import { Managed } from "./managed.fixture.ts";

test("the work of controllers is traced, and the work of the manager is not", async () => {
  await using world = await Managed.start();
  const names: string[] = [];
  const tracer: Tracer = {
    trace<R>({ name }: SpanDefinition, work: (span: Span) => Promise<R>): Promise<R> {
      names.push(name);
      return work({ set() {}, fail() {} });
    },
    record: ({ name }) => void names.push(name),
    headers: () => ({}),
  };
  const maps = controller({
    name: "configmap",
    for: ConfigMap,
    async reconcile(key, { client }) {
      await client.get(Secret, key); // not watched, so read from the server
    },
  });
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.run([maps], { tracer });
  expect(names).toEqual(["reconcile configmap", "queue wait", "GET secrets"]);
});
