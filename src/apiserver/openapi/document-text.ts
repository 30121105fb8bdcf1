import { facts, release } from "../../api/types/facts.ts";
import type { PathItem } from "./operation.ts";
import { builtinSchema, type GroupVersion, refsIn } from "./schema.ts";

/**
 * Returns an OpenAPI 3.0 document as JSON: the paths and every schema they refer to.
 *
 * The text is joined from cached parts, since most schemas are part of many documents.
 */
export function openApiText({ custom, groupVersion, paths, schemas = new Map() }: DocumentParts): string {
  const pathsText = JSON.stringify(Object.fromEntries(byName(paths)));
  const reached = byName(reachable(schemas, pathsText, groupVersion));
  const schemasText = reached.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",");
  const components = [
    ...(reached.length > 0 ? [`"schemas":{${schemasText}}`] : []),
    ...(custom ? [] : [`"securitySchemes":${JSON.stringify(securitySchemes)}`]),
  ].join(",");
  const head = `"openapi":"3.0.0","info":${JSON.stringify(custom ? customInfo : builtinInfo)}`;
  return `{${head},"paths":${pathsText},"components":{${components}}}`;
}

export interface DocumentParts {
  /** True for documents of custom resources, which have a different title and no security schemes. */
  readonly custom: boolean;
  /** The group and version of the document. */
  readonly groupVersion: GroupVersion;
  readonly paths: ReadonlyArray<readonly [string, PathItem]>;
  /** Schemas of custom resources, as JSON. @default none */
  readonly schemas?: SchemaTexts | undefined;
}

const customInfo = { title: "Kubernetes CRD Swagger", version: "v0.1.0" };
const builtinInfo = { title: "Kubernetes", version: release.replace(/^v(\d+\.\d+).*$/, "$1") };
const securitySchemes = { BearerToken: { type: "apiKey", name: "authorization", in: "header" } };

export type SchemaTexts = ReadonlyMap<string, string>;

/** Returns the given schemas, the schemas that they and `paths` refer to, and so on. */
function reachable(custom: SchemaTexts, paths: string, groupVersion: GroupVersion): Array<[string, string]> {
  const names = new Set([...custom.keys(), ...refsIn(paths)]);
  const found: Array<[string, string]> = [];
  // The set grows during the iteration.
  for (const name of names) {
    const customText = custom.get(name);
    const text = customText === undefined ? builtinText(name, groupVersion) : textOf(customText);
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

function builtinText(name: string, groupVersion: GroupVersion): SchemaText | undefined {
  const cached = builtinTexts.get(name);
  const schema = facts().schemas.get(name);
  if (cached || !schema) return cached;
  const created = textOf(JSON.stringify(builtinSchema(schema, groupVersion)));
  // The schema of many kinds depends on the version of the document.
  if ((schema.kinds ?? []).length < 2) builtinTexts.set(name, created);
  return created;
}

const builtinTexts = new Map<string, SchemaText>();

function byName<T>(entries: ReadonlyArray<readonly [string, T]>): Array<readonly [string, T]> {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
}
