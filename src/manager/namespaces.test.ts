import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { informers } from "../cache/index.ts";
import type { Client } from "../client/index.ts";
import { controller, owns } from "../controller/index.ts";
import { manager } from "./index.ts";

/** Options that take namespaces. Invalid ones are refused before any request. */
const client = {} as Client;
const reconcile = async (): Promise<void> => {};

const places: Record<string, (namespaces: string[]) => unknown> = {
  "a manager": (namespaces) => manager({ client, namespaces, controllers: [] }),
  "a controller": (namespaces) => controller({ name: "a", for: ConfigMap, view: { namespaces }, reconcile }),
  "a trigger": (namespaces) =>
    controller({ name: "a", for: ConfigMap, on: [owns(Secret, { view: { namespaces } })], reconcile }),
  "an informer factory": (namespaces) => informers({ client, namespaces }),
  "an informer": (namespaces) => informers({ client }).for(ConfigMap, { namespaces }),
};

test.each(Object.entries(places))(
  "%s refuses an empty namespace and names the way to watch all",
  (_, declare) => {
    expect(() => declare(["a", ""])).toThrow(
      /^expected (view\.)?namespaces\[1\] to be the name of a namespace, got ""; leave `(view\.)?namespaces` out for all namespaces$/,
    );
  },
);

test.each(Object.entries(places))("%s refuses invalid namespace names", (_, declare) => {
  for (const name of ["*", "Team", "a/b", "-a", "a".repeat(64)]) {
    expect(() => declare([name])).toThrow(`to be the name of a namespace, got ${JSON.stringify(name)}`);
  }
});
