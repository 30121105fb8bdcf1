import { expect, test } from "vitest";
import type { Kind } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { controller } from "./index.ts";

/** A kind like one made by `defineResource`. */
const Website: Kind = {
  group: "example.dev",
  version: "v1",
  kind: "Website",
  plural: "websites",
  namespaced: true,
  definedHere: true,
};

const reconcile = async (): Promise<void> => {};

test("a controller for a kind of this program is named after it, and its field manager has the group too", () => {
  const websites = controller({ for: Website, reconcile });
  expect([websites.name, websites.fieldManager]).toEqual(["website", "website.example.dev"]);
  const named = controller({ name: "site-cache", for: Website, reconcile });
  expect([named.name, named.fieldManager]).toEqual(["site-cache", "site-cache.example.dev"]);
});

test("a controller for a shared kind needs a name, which is its field manager", () => {
  const maps = controller({ name: "website-config", for: ConfigMap, reconcile });
  expect([maps.name, maps.fieldManager]).toEqual(["website-config", "website-config"]);
  expect(() => controller({ for: ConfigMap, reconcile })).toThrow(
    new TypeError(
      "expected a name for the controller of v1 ConfigMap, got none: other programs write this kind too, and the name " +
        "becomes the field manager, the event source and the metrics label that distinguish them; " +
        'set `name`, like controller({ name: "example-configmap", for: ConfigMap, … })',
    ),
  );
});

test("a field manager may be chosen, and is one that the server accepts", () => {
  const chosen = controller({ for: Website, fieldManager: "web-team", reconcile });
  expect(chosen.fieldManager).toBe("web-team");
  const message = "expected the fieldManager of controller";
  expect(() => controller({ for: Website, fieldManager: "", reconcile })).toThrow(
    `${message} "website" to have`,
  );
  const name = "n".repeat(129);
  expect(() => controller({ name, for: ConfigMap, reconcile })).toThrow(
    "1 to 128 printable characters, got 129 bytes",
  );
});
