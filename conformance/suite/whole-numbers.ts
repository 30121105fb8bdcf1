import { kind } from "trimtab/api";
import { createOrPatch } from "trimtab/client";
import { things, version } from "../defined.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

const whole = { type: "integer", format: "int64" };
const schema = version("v1", {
  count: whole,
  step: whole,
  limits: { type: "array", items: { type: "object", properties: { most: whole } } },
});

scenario("an integer beyond 2^53 survives patch and apply, and update refuses it", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [schema]);
  const Thing = kind({ group: made.group, version: "v1", kind: "Thing" });
  const spec = '{"count":9007199254740993,"limits":[{"most":9223372036854775807}],"step":1}';
  const body = JSON.stringify(made.thing("a", {})).replace('"spec":{}', `"spec":${spec}`);
  expect((await wire(client, `POST ${made.path("v1")}`, { body })).status).toBe(201);
  const stored = async (): Promise<string> => {
    const { text } = await wire(client, `GET ${made.path("v1")}/a`);
    return text.slice(text.indexOf('"spec":') + '"spec":'.length, text.lastIndexOf("}"));
  };
  expect((await stored()).trim()).toBe(spec);

  const object = await client.get(Thing, "a");
  await expect(client.update(Thing, object as never)).rejects.toThrow(
    "got 9007199254740992 at spec.count, whose last digits may have been lost when it was read: " +
      "write only the other fields, with patch or apply",
  );
  await client.patch(Thing, "a", { merge: { spec: { step: 2 } } });
  expect((await stored()).trim()).toBe(spec.replace('"step":1', '"step":2'));
  await client.apply(Thing, { metadata: { name: "a" }, spec: { step: 3 } } as never, { force: true });
  expect((await stored()).trim()).toBe(spec.replace('"step":1', '"step":3'));
  await createOrPatch(client, Thing, {
    key: "a",
    mutate: (thing) => void Object.assign(Reflect.get(thing, "spec") as object, { step: 4 }),
  });
  expect((await stored()).trim()).toBe(spec.replace('"step":1', '"step":4'));
  await client.patch(Thing, "a", { json: [{ op: "replace", path: "/spec/step", value: 5 }] });
  expect((await stored()).trim()).toBe(spec.replace('"step":1', '"step":5'));
});
