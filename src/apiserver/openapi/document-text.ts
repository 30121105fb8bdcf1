import { facts, release } from "../../api/types/facts.ts";
import type { PathItem } from "./operation.ts";
import { builtinSchema, type GroupVersion, refsIn } from "./schema.ts";

/**
 * An OpenAPI 3.0 document as JSON: its paths, and every schema they lead to.
 *
 * It is put together from texts, since most schemas are in many documents.
 */
export function openApiText({ custom, at, paths, schemas = new Map() }: DocumentParts): string {
  const pathsText = JSON.stringify(Object.fromEntries(byName(paths)));
  const reached = byName(reachable(schemas, pathsText, at));
  const schemasText = reached.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",");
  const security = custom ? "" : `,"securitySchemes":${JSON.stringify(securitySchemes)}`;
  const head = `"openapi":"3.0.0","info":${JSON.stringify(custom ? customInfo : builtinInfo)}`;
  return `{${head},"paths":${pathsText},"components":{"schemas":{${schemasText}}${security}}}`;
}

export interface DocumentParts {
  /** Documents of custom kinds say a little less of the server. */
  readonly custom: boolean;
  /** The group and version that the document is of. */
  readonly at: GroupVersion;
  readonly paths: ReadonlyArray<readonly [string, PathItem]>;
  /** Schemas that no release knows, as JSON. @default none */
  readonly schemas?: SchemaTexts | undefined;
}

const customInfo = { title: "Kubernetes CRD Swagger", version: "v0.1.0" };
const builtinInfo = { title: "Kubernetes", version: release.replace(/^v(\d+\.\d+).*$/, "$1") };
const securitySchemes = { BearerToken: { type: "apiKey", name: "authorization", in: "header" } };

export type SchemaTexts = ReadonlyMap<string, string>;

/** The own schemas, what they and `paths` refer to, and what that refers to. */
function reachable(own: SchemaTexts, paths: string, at: GroupVersion): Array<[string, string]> {
  const names = new Set([...own.keys(), ...refsIn(paths)]);
  const found: Array<[string, string]> = [];
  // The set grows while it is walked.
  for (const name of names) {
    const mine = own.get(name);
    const text = mine === undefined ? builtinText(name, at) : textOf(mine);
    if (!text) continue;
    found.push([name, text.json]);
    for (const ref of text.refs) names.add(ref);
  }
  return found;
}

interface SchemaText {
  readonly json: string;
  readonly refs: readonly string[];
}

function textOf(json: string): SchemaText {
  return { json, refs: refsIn(json) };
}

function builtinText(name: string, at: GroupVersion): SchemaText | undefined {
  const known = builtinTexts.get(name);
  const schema = facts().schemas.get(name);
  if (known || !schema) return known;
  const made = textOf(JSON.stringify(builtinSchema(schema, at)));
  // A schema of many kinds is written differently for each version.
  if ((schema.kinds ?? []).length < 2) builtinTexts.set(name, made);
  return made;
}

const builtinTexts = new Map<string, SchemaText>();

function byName<T>(entries: ReadonlyArray<readonly [string, T]>): Array<readonly [string, T]> {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
}
