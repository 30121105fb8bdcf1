import type { KubeObject } from "../../api/index.ts";
import { builtinResources } from "../builtin-resources.ts";
import type { Resource } from "../types/resource.ts";
import type { Cell } from "./column.ts";
import { printerOf } from "./printers.ts";

/** The time of the tables: 2026-11-16T03:00:00Z. */
export const now = 1_794_798_000_000;

/** Returns the metadata of an object that is 90 seconds old. */
export function meta(name: string, more: object = {}): object {
  return { name, creationTimestamp: "2026-11-16T02:58:30Z", ...more };
}

/** Returns the cells of an object that has only the given fields. */
export function cellsOf(kind: string, object: object): Cell[] {
  return printerOf(resourceOf(kind)).cells(object as KubeObject, now);
}

/** Returns a built-in resource by version and kind: `apps/v1 Deployment`. */
export function resourceOf(versionAndKind: string): Resource {
  const found = resources.find(
    ({ group, version, kind }) => `${group && `${group}/`}${version} ${kind}` === versionAndKind,
  );
  if (!found) throw new Error(`expected a built-in kind, got ${versionAndKind}`);
  return found;
}

const resources = builtinResources();
