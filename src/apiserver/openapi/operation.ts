import type { Parameter } from "./parameters.ts";
import { type OpenApiSchema, refTo } from "./schema.ts";

/** A method of a path in OpenAPI 3.0. */
export interface Operation {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: object;
  readonly "x-kubernetes-action"?: string;
  readonly "x-kubernetes-group-version-kind"?: object;
}

export type Method = "get" | "put" | "post" | "delete" | "patch";

/** The methods of a path and their common parameters. */
export type PathItem = { readonly [M in Method]?: Operation } & {
  readonly parameters?: readonly Parameter[];
};

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The media types of the bodies of a resource. */
export interface BodyTypes {
  readonly request: readonly string[];
  readonly response: readonly string[];
  readonly stream: readonly string[];
  readonly patch: readonly string[];
}

const patchTypes = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
];

export const builtinTypes: BodyTypes = {
  request: ["*/*"],
  response: ["application/json", "application/vnd.kubernetes.protobuf", "application/yaml"],
  stream: [
    "application/json",
    "application/json;stream=watch",
    "application/vnd.kubernetes.protobuf",
    "application/vnd.kubernetes.protobuf;stream=watch",
    "application/yaml",
  ],
  patch: [...patchTypes, "application/strategic-merge-patch+json"],
};

export const customTypes: BodyTypes = {
  request: ["application/json", "application/yaml"],
  response: ["application/json", "application/yaml"],
  stream: ["application/json", "application/yaml"],
  patch: patchTypes,
};

const descriptions: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  401: "Unauthorized",
};

/**
 * Returns responses with the given codes and one schema, by name or inline, and a response with code 401.
 */
export function responses(
  codes: readonly number[],
  types: readonly string[],
  schema: string | OpenApiSchema,
): object {
  const entries = codes.map((code) => [
    code,
    { description: descriptions[code], content: content(types, schema) },
  ]);
  return Object.fromEntries([...entries, [401, { description: descriptions[401] }]]);
}

export function requestBody(
  types: readonly string[],
  schema: string,
  { required }: { readonly required: boolean },
): object {
  return { content: content(types, schema), ...(required && { required }) };
}

function content(
  types: readonly string[],
  schema: string | OpenApiSchema,
): Record<string, { readonly schema: OpenApiSchema }> {
  const inline = typeof schema === "string" ? refTo(schema) : schema;
  return Object.fromEntries(types.map((type) => [type, { schema: inline }]));
}
