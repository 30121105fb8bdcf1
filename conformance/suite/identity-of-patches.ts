/** Patches and applies with the uid of another object. */
import type { KubeObject } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { type Refusal, refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";
import { widgets } from "../widgets.ts";

const uid = "00000000-0000-4000-8000-000000000000";
const metadata = { uid };
const patches = {
  merge: { merge: { metadata } },
  strategic: { strategic: { metadata } },
  json: { json: [{ op: "replace", path: "/metadata/uid", value: uid }] },
} as const;

function immutable(name: string): Partial<Refusal> {
  const why = `Invalid value: "${uid}": field is immutable`;
  return { code: 422, reason: "Invalid", message: `${name} is invalid: metadata.uid: ${why}` };
}

for (const subresource of [undefined, "status"] as const) {
  const what = subresource ?? "object";
  scenario(
    `a patch or an apply of a Deployment's ${what} with another uid is invalid`,
    async ({ client, expect }) => {
      await client.create(Deployment, web());
      const draft = { metadata: { name: "web", uid } } as { readonly metadata: { readonly name: string } };
      const refused = [
        await refusal(client.patch(Deployment, "web", patches.merge as never, { subresource })),
        await refusal(client.patch(Deployment, "web", patches.strategic as never, { subresource })),
        await refusal(client.patch(Deployment, "web", patches.json as never, { subresource })),
        await refusal(client.apply(Deployment, draft, { subresource })),
      ];
      const expected = immutable('Deployment.apps "web"');
      for (const each of refused) expect(each).toMatchObject(expected);
    },
  );
}

scenario("a patch or an apply of a custom object with another uid is invalid", async (stage) => {
  const { client, expect } = stage;
  await using made = await widgets(stage);
  await client.create(made.Widget, { metadata: { name: "a" } });
  const draft = { metadata: { name: "a", uid } } as { readonly metadata: { readonly name: string } };
  const refused = [
    await refusal(client.patch(made.Widget, "a", patches.merge as never)),
    await refusal(client.patch(made.Widget, "a", patches.json as never)),
    await refusal(client.apply(made.Widget, draft)),
  ];
  for (const each of refused) expect(each).toMatchObject(immutable(`Widget.${made.group} "a"`));
});

scenario("a uid in a patch or an apply of a custom object's status is ignored", async (stage) => {
  const { client, expect } = stage;
  await using made = await widgets(stage);
  const { metadata: own }: KubeObject = await client.create(made.Widget, { metadata: { name: "a" } });
  const subresource = "status";
  const draft = { metadata: { name: "a", uid }, status: { seen: 1 } };
  const patched = [
    await client.patch(made.Widget, "a", patches.merge as never, { subresource }),
    await client.patch(made.Widget, "a", patches.json as never, { subresource }),
    await client.apply(made.Widget, draft, { subresource }),
  ];
  expect(patched.map((each) => each.metadata.uid)).toEqual([own.uid, own.uid, own.uid]);
  expect(patched[2]?.status).toEqual({ seen: 1 });
});
