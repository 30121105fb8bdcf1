import { hookScenario as scenario } from "../hook-scenario.ts";
import { allowing, hooks } from "../webhooks.ts";
import { statusMessage, wire } from "../wire.ts";

const configMaps = (namespace: string): `/${string}` => `/api/v1/namespaces/${namespace}/configmaps`;
const modified =
  "the object has been modified; please apply your changes to the latest version and try again";

/** Types of webhooks, each of which changes the object by another request while it is called the first time. */
for (const type of ["mutating", "validating"] as const) {
  scenario(`a patch starts again if the object changes while ${type} webhooks run`, async (stage) => {
    const { client, namespace, expect } = stage;
    const path = configMaps(namespace);
    await wire(client, `POST ${path}`, { body: { metadata: { name: "a" }, data: { k: "0" } } });
    const inside = once(() => wire(client, `PATCH ${path}/a`, { body: { data: { inside: "1" } } }));
    await using made = await hooks(stage, type, { slow: inside });
    const patched = await wire(client, `PATCH ${path}/a`, { body: { data: { k: "1" } } });
    expect([patched.status, patched.body]).toMatchObject([200, { data: { k: "1", inside: "1" } }]);
    expect(made.requests.slow?.at(-1)).toMatchObject({ oldObject: { data: { k: "0", inside: "1" } } });
  });

  scenario(
    `an update of an old version conflicts if the object changes while ${type} webhooks run`,
    async (stage) => {
      const { client, namespace, expect } = stage;
      const path = configMaps(namespace);
      const { body } = await wire(client, `POST ${path}`, { body: { metadata: { name: "a" } } });
      const inside = once(() => wire(client, `PATCH ${path}/a`, { body: { data: { inside: "1" } } }));
      await using _ = await hooks(stage, type, { slow: inside });
      const updated = await wire(client, `PUT ${path}/a`, {
        body: { ...(body as object), data: { k: "1" } },
      });
      expect(statusMessage(updated)).toEqual([
        409,
        `Operation cannot be fulfilled on configmaps "a": ${modified}`,
      ]);
    },
  );

  scenario(`an object that is created while ${type} webhooks run is a conflict`, async (stage) => {
    const { client, namespace, expect } = stage;
    const path = configMaps(namespace);
    const body = { metadata: { name: "a" } };
    const inside = once(() => wire(client, `POST ${path}`, { body }));
    await using made = await hooks(stage, type, { slow: inside });
    const created = await wire(client, `POST ${path}`, { body });
    expect(statusMessage(created)).toEqual([409, 'configmaps "a" already exists']);
    expect(made.requests.slow?.length).toBe(2);
  });

  scenario(`a deletion starts again if the object changes while ${type} webhooks run`, async (stage) => {
    const { client, namespace, expect } = stage;
    const path = configMaps(namespace);
    await wire(client, `POST ${path}`, { body: { metadata: { name: "a" } } });
    const inside = once(() => wire(client, `PATCH ${path}/a`, { body: { data: { inside: "1" } } }));
    await using made = await hooks(stage, type, { slow: inside });
    expect((await wire(client, `DELETE ${path}/a`)).status).toBe(200);
    expect(made.requests.slow?.at(-1)).toMatchObject({
      operation: "DELETE",
      oldObject: { data: { inside: "1" } },
    });
  });
}

scenario("other requests are served while a webhook runs", async (stage) => {
  const { client, namespace, expect } = stage;
  const path = configMaps(namespace);
  const order: string[] = [];
  const reading = once(async () => {
    const read = await wire(client, `GET ${path}`);
    const other = await wire(client, `POST /api/v1/namespaces/${namespace}/secrets`, {
      body: { metadata: { name: "a" } },
    });
    order.push(`read ${read.status}, created ${other.status}`);
  });
  await using _ = await hooks(stage, "mutating", { slow: reading });
  const created = await wire(client, `POST ${path}`, { body: { metadata: { name: "a" } } });
  order.push(`done ${created.status}`);
  expect(order).toEqual(["read 200, created 201", "done 201"]);
});

scenario("concurrent patches are all stored while a slow webhook runs", async (stage) => {
  const { client, namespace, expect } = stage;
  const path = configMaps(namespace);
  await wire(client, `POST ${path}`, { body: { metadata: { name: "a" } } });
  const slow = (): Promise<object> => new Promise((resolve) => setTimeout(resolve, 20, allowing));
  await using _ = await hooks(stage, "validating", { slow });
  const keys = ["a", "b", "c", "d", "e"];
  const patches = await Promise.all(
    keys.map((key) => wire(client, `PATCH ${path}/a`, { body: { data: { [key]: "1" } } })),
  );
  expect(patches.map(({ status }) => status)).toEqual(keys.map(() => 200));
  const { data } = (await wire(client, `GET ${path}/a`)).body as { data: object };
  expect(data).toEqual(Object.fromEntries(keys.map((key) => [key, "1"])));
});

/** Returns an answer that does something during the first call. */
function once(work: () => Promise<unknown>): () => Promise<object> {
  let called = false;
  return async () => {
    if (!called) {
      called = true;
      await work();
    }
    return allowing;
  };
}
