import type { StatusCause } from "trimtab/api";
import { InvalidObjectError } from "trimtab/crd";
import { declared } from "../declared.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";

scenario("a kind declared by a schema has the fields of its type", async (stage) => {
  const { client, expect } = stage;
  await using kinds = await declared(stage);
  const given = {
    image: "nginx",
    replicas: 2,
    mode: null,
    port: "http",
    ratio: 0.5,
    address: "none",
    code: "abcz",
    from: "2030-01-02T03:04:05Z",
    host: "example.dev",
    labels: { a: "b" },
    limits: { cpu: 2 },
    anything: { at: ["all"] },
    open: { known: true, unknown: [1] },
    ports: [{ name: "web", number: 8080 }],
    probe: { by: "port" as const, port: 80 },
    nested: { depth: 3 },
  };
  const made = await client.create(kinds.Site, { metadata: { name: "a" }, spec: given });
  expect(made.spec).toEqual(given);
  expect(kinds.Site.parse(made)).toEqual(made);
});

scenario("server and parser set the same defaults and prune the same fields", async (stage) => {
  const { client, expect } = stage;
  await using kinds = await declared(stage);
  const spec = { image: "nginx", colour: "red", ports: [{ name: "web", colour: "red" }], nested: null };
  // A spec as a user may write it, with an undeclared field and without a defaulted one.
  const made = await client.create(kinds.Site, { metadata: { name: "a" }, spec } as never);
  const expected = {
    image: "nginx",
    replicas: 1,
    ports: [{ name: "web", number: 80 }],
    nested: { depth: 2 },
  };
  expect(made.spec).toEqual(expected);
  expect(kinds.Site.parse({ metadata: { name: "a" }, spec }).spec).toEqual(expected);
});

scenario("server and parser refuse the same violations of a declared schema", async (stage) => {
  const { client, expect } = stage;
  await using kinds = await declared(stage);
  const wrong: Record<string, unknown> = {
    image: "",
    replicas: -1,
    mode: "loud",
    port: "8080",
    ratio: 1,
    address: "some",
    code: "abc",
    from: "yesterday",
    host: "no host",
    limits: { cpu: "two" },
    ports: [{ name: "web" }, { name: "web" }],
    probe: { by: "port", name: "web" },
  };
  for (const [field, value] of Object.entries(wrong)) {
    const broken = { metadata: { name: "a" }, spec: { image: "nginx", [field]: value } };
    const parsed = causesOf(() => kinds.Site.parse(broken));
    const refusalText = await client.create(kinds.Site, broken as never).then(
      () => [],
      (error) => error.details.causes,
    );
    expect({ [field]: inOrder(refusalText) }).toEqual({ [field]: inOrder(parsed) });
    expect({ [field]: refusalText }).not.toEqual({ [field]: [] });
  }
});

scenario("the status of a declared kind is written separately", async (stage) => {
  const { client, expect } = stage;
  await using kinds = await declared(stage);
  const spec = { image: "nginx", replicas: 1, nested: { depth: 1 } };
  const made = await client.create(kinds.Site, { metadata: { name: "a" }, spec });
  const merge: object = { status: { ready: "yes" } };
  const wrong = client.patch(kinds.Site, "a", { merge }, { subresource: "status" });
  expect((await refusal(wrong)).code).toBe(422);
  const written = await client.applyStatus(kinds.Site, made, { ready: true });
  expect([written.status, written.metadata.generation]).toEqual([{ ready: true }, 1]);
});

function causesOf(parse: () => unknown): readonly StatusCause[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof InvalidObjectError) return error.causes;
    throw error;
  }
  return [];
}

/** Servers report several violations in any order. */
function inOrder(causes: readonly StatusCause[]): string[] {
  return causes.map(({ field, message }) => `${field} ${message}`).toSorted();
}
