import type { StructuralSchema } from "../../schema/index.ts";
import { builtinResources } from "../builtin-resources.ts";
import type { Resource } from "../resource.ts";
import { type ServedVersion, servedBy } from "./served.ts";

/** The kinds of the pinned release that a server has without being asked for more: no alphas, no betas. */
export const stable: readonly Resource[] = builtinResources().filter(({ version }) => /^v\d+$/.test(version));

const anyResource: Resource = builtinResources()[0] as Resource;

export interface CustomKind {
  readonly group?: string;
  readonly version?: string;
  readonly storageVersion?: string;
  readonly schema?: StructuralSchema;
  readonly more?: Partial<Resource>;
}

/** A custom kind `Widget` with a status and a scale. */
export function widgets({ group = "zeta.example.dev", version = "v1", ...rest }: CustomKind = {}): Resource {
  const { storageVersion = version, schema, more } = rest;
  const parts = ["get", "patch", "update"];
  return {
    ...anyResource,
    group,
    version,
    kind: "Widget",
    listKind: "WidgetList",
    plural: "widgets",
    singular: "widget",
    namespaced: true,
    shortNames: ["wd", "wg"],
    categories: ["all", "gear"],
    verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
    subresources: [
      { name: "status", group, version, kind: "Widget", verbs: parts },
      { name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs: parts },
    ],
    custom: true,
    strategy: {},
    definition: { storageVersion, schema },
    ...more,
  };
}

/** One version of what `resources` serve: `apps/v1`. */
export function versionOf(resources: readonly Resource[], groupVersion: string): ServedVersion {
  const versions = servedBy(resources).groups.flatMap(({ versions }) => versions);
  const found = versions.find((each) => each.groupVersion === groupVersion);
  if (!found) throw new Error(`expected a served version, got ${groupVersion}`);
  return found;
}
