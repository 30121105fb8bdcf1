import { expect, test } from "vitest";
import * as z from "zod";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { ApiError } from "../client/index.ts";
import { controller } from "../controller/index.ts";
import { defineResource } from "../crd/index.ts";
import { Denied, webhook } from "../webhook/index.ts";
import type { Cluster } from "./cluster.ts";

const admission = webhook(ConfigMap, {
  objectSelector: { matchLabels: { webhooks: "yes" } },
  default(map) {
    map.data = { color: "blue", ...map.data };
  },
  async validate({ object, previous, warn, client }) {
    if (object.data?.color === "plaid")
      throw new Denied("is out of fashion", { field: "data.color", code: 422 });
    if (previous && previous.data?.size !== object.data?.size) warn("data.size: it changes");
    if (object.data?.like) {
      const other = await client.get(ConfigMap, object.data.like);
      if (!other)
        throw new Denied([{ field: "data.like", message: "not found", reason: "FieldValueNotFound" }]);
    }
    if (object.data?.broken) throw new TypeError("cannot read the broken map");
  },
  validateDelete({ previous }) {
    if (previous.data?.locked) throw new Denied("unlock it first", { field: "data.locked" });
  },
});

const labels = { webhooks: "yes" };

const Sites = defineResource({
  group: "webhooks.example.dev",
  kind: "Site",
  versions: {
    v1: { spec: z.object({ images: z.array(z.string()) }), storage: true },
    v1beta1: {
      spec: z.object({ image: z.string() }),
      convert: {
        toStorage: ({ spec }) => ({ spec: { images: [spec.image] } }),
        fromStorage: ({ spec }) => ({ spec: { image: spec.images[0] ?? "" } }),
      },
    },
  },
});

/** Tests of `cluster.run({ webhooks })` on any engine. @param start Starts a cluster, which the test closes. */
export function webhookSuite(start: () => Promise<Cluster>): void {
  async function running(): Promise<Cluster> {
    const cluster = await start();
    const maps = controller({ name: "maps", for: ConfigMap, async reconcile() {} });
    await cluster.run({ controllers: [maps], webhooks: [admission] });
    return cluster;
  }

  test("defaults are set, and fields that a handler leaves alone stay", async () => {
    await using cluster = await running();
    const metadata = { name: "a", namespace: "default", labels };
    const created = await cluster.client.create(ConfigMap, {
      metadata,
      data: { size: "1" },
      immutable: false,
    });
    expect([created.data, created.immutable]).toEqual([{ color: "blue", size: "1" }, false]);
    const updated = await cluster.client.patch(ConfigMap, "default/a", { merge: { data: { color: "red" } } });
    expect(updated.data).toEqual({ color: "red", size: "1" });
  });

  test("a denial has code, reason, causes and the name of the webhook; other errors are 500", async () => {
    await using cluster = await running();
    const refused = async (data: Record<string, string>): Promise<unknown> =>
      cluster.client
        .create(ConfigMap, { metadata: { name: "a", namespace: "default", labels }, data })
        .catch((error: unknown) => error);
    const prefix = 'admission webhook "validate.configmaps.core" denied the request: ';
    expect(await refused({ color: "plaid" })).toMatchObject({
      code: 422,
      reason: "Invalid",
      message: expect.stringContaining(`${prefix}data.color: is out of fashion`),
      details: {
        causes: [{ reason: "FieldValueInvalid", message: "is out of fashion", field: "data.color" }],
      },
    });
    expect(await refused({ like: "nothing" })).toMatchObject({
      code: 403,
      reason: "Forbidden",
      details: { causes: [{ reason: "FieldValueNotFound", message: "not found", field: "data.like" }] },
    });
    expect(await refused({ broken: "yes" })).toMatchObject({
      code: 500,
      message: expect.stringContaining(`${prefix}cannot read the broken map`),
    });
  });

  test("deletes are validated with the stored object", async () => {
    await using cluster = await running();
    const metadata = { name: "a", namespace: "default", labels };
    await cluster.client.create(ConfigMap, { metadata, data: { locked: "yes" } });
    const error: unknown = await cluster.client
      .delete(ConfigMap, "default/a")
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 403,
      message: expect.stringContaining("data.locked: unlock it first"),
    });
    await cluster.client.patch(ConfigMap, "default/a", { merge: { data: { locked: null } } });
    await cluster.client.delete(ConfigMap, "default/a");
    expect(await cluster.client.get(ConfigMap, "default/a")).toBeUndefined();
  });

  test("a kind with several versions is read, listed and watched in each of them", async () => {
    await using cluster = await start();
    const { client } = cluster;
    await client.create(CustomResourceDefinition, Sites.toCustomResourceDefinition());
    await cluster.run({ controllers: [], webhooks: [Sites] });
    const metadata = { name: "a", namespace: "default" };
    await client.create(Sites.v1beta1, { metadata, spec: { image: "nginx" } });
    expect((await client.get(Sites.v1, "default/a"))?.spec).toEqual({ images: ["nginx"] });
    await client.patch(Sites.v1, "default/a", { merge: { spec: { images: ["caddy", "nginx"] } } });
    expect((await client.list(Sites.v1beta1)).map(({ spec }) => spec)).toEqual([{ image: "caddy" }]);
    for await (const event of client.watch(Sites.v1beta1)) {
      expect([event.type, event.type === "bookmark" ? undefined : event.object.spec]).toEqual([
        "added",
        { image: "caddy" },
      ]);
      break;
    }
  });

  test("the configurations are removed when the cluster is closed", async () => {
    const cluster = await start();
    const written: string[] = [];
    const client = cluster.client.through((transport) => ({
      ...transport,
      send(request) {
        const path = request.path.replace(/trimtab-test-[0-9a-f-]{36}.*/, "ID");
        if (path.includes("webhookconfigurations") && request.method !== "GET")
          written.push(`${request.method} ${path}`);
        return transport.send(request);
      },
    }));
    await cluster.run({ controllers: [], webhooks: [admission], client });
    await cluster.close();
    const folder = "/apis/admissionregistration.k8s.io/v1";
    expect(written).toEqual([
      `PATCH ${folder}/mutatingwebhookconfigurations/ID`,
      `PATCH ${folder}/validatingwebhookconfigurations/ID`,
      `DELETE ${folder}/mutatingwebhookconfigurations/ID`,
      `DELETE ${folder}/validatingwebhookconfigurations/ID`,
    ]);
  });

  test("a webhook server of the options is used as it is", async () => {
    await using cluster = await start();
    await expect(cluster.run({ controllers: [], webhooks: [admission], webhookServer: {} })).rejects.toThrow(
      "expected webhookServer.service or webhookServer.url, got neither",
    );
  });
}
