import type { StructuralSchema } from "../../schema/index.ts";
import { builtinResources } from "../builtin-resources.ts";
import type { Resource } from "../types/resource.ts";
import { type ServedVersion, servedBy } from "./served.ts";

/** The resources that a server has by default: no alpha and no beta versions. */
export const stable: readonly Resource[] = builtinResources().filter(({ version }) => /^v\d+$/.test(version));

/** Any built-in resource, for the fields that tests do not set. */
const anyResource: Resource = builtinResources()[0] as Resource;

export interface CustomKind {
  readonly group?: string;
  readonly version?: string;
  readonly storageVersion?: string;
  readonly schema?: StructuralSchema;
  readonly overrides?: Partial<Resource>;
}

/** Returns a custom resource `Widget` with status and scale. */
export function widgets({ group = "zeta.example.dev", version = "v1", ...rest }: CustomKind = {}): Resource {
  const { storageVersion = version, schema, overrides } = rest;
  const verbs = ["get", "patch", "update"];
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
      { name: "status", group, version, kind: "Widget", verbs: verbs },
      { name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs: verbs },
    ],
    custom: true,
    strategy: {},
    definition: { storageVersion, schema },
    ...overrides,
  };
}

/** Returns one served version, such as `apps/v1`. */
export function versionOf(resources: readonly Resource[], groupVersion: string): ServedVersion {
  const versions = servedBy(resources).groups.flatMap(({ versions }) => versions);
  const version = versions.find((each) => each.groupVersion === groupVersion);
  if (!version) throw new Error(`expected a served version, got ${groupVersion}`);
  return version;
}
