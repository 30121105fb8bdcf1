import type { Operation, PathItem } from "./operation.ts";
import type { Parameter } from "./parameters.ts";
import { definitionRef, type SwaggerSchema } from "./swagger-schema.ts";

/** A method of a path in OpenAPI 2.0. */
export interface SwaggerOperation {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly string[];
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly SwaggerParameter[];
  readonly responses: Readonly<Record<string, SwaggerResponse>>;
  readonly "x-kubernetes-action"?: string;
  readonly "x-kubernetes-group-version-kind"?: object;
}

export interface SwaggerParameter {
  readonly name: string;
  readonly in: "query" | "path" | "body";
  readonly required?: true;
  readonly type?: string;
  readonly uniqueItems?: true;
  /** The schema of a body. Other parameters have a type. */
  readonly schema?: SwaggerSchema;
}

export interface SwaggerResponse {
  readonly description: string;
  readonly schema?: SwaggerSchema;
}

/** The methods of a path, and their common parameters. */
export type SwaggerPath = Readonly<Record<string, SwaggerOperation | readonly SwaggerParameter[]>>;

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}

/**
 * Returns a path item of OpenAPI 3.0 in OpenAPI 2.0.
 *
 * @param defaultTypes the media types of operations without a body
 */
export function swaggerPath(
  { parameters, ...methods }: PathItem,
  defaultTypes: readonly string[],
): SwaggerPath {
  const operations = Object.entries(methods).map(([method, operation]) => [
    method,
    swaggerOperation(operation, defaultTypes),
  ]);
  const common = parameters && parameters.length > 0 && { parameters: parameters.map(swaggerParameter) };
  return { ...Object.fromEntries(operations), ...common };
}

function swaggerOperation(operation: Operation, defaultTypes: readonly string[]): SwaggerOperation {
  const { tags, operationId, parameters = [], requestBody, responses, ...extensions } = operation;
  const body = requestBody as (Content & { readonly required?: true }) | undefined;
  const all = [...(body ? [bodyParameter(body)] : []), ...parameters.map(swaggerParameter)];
  const entries = Object.entries(responses as Readonly<Record<string, Content & SwaggerResponse>>);
  return {
    consumes: body?.content ? Object.keys(body.content) : defaultTypes,
    produces: Object.keys(entries[0]?.[1].content ?? {}),
    schemes: ["https"],
    tags,
    operationId,
    ...(all.length > 0 && { parameters: all }),
    responses: Object.fromEntries(entries.map(([code, response]) => [code, swaggerResponse(response)])),
    ...extensions,
  };
}

function swaggerParameter({ schema, ...parameter }: Parameter): SwaggerParameter {
  return { ...parameter, ...schema };
}

function bodyParameter({ required, ...body }: Content & { readonly required?: true }): SwaggerParameter {
  return { name: "body", in: "body", ...(required && { required }), ...schemaOf(body) };
}

function swaggerResponse({ description, content }: Content & SwaggerResponse): SwaggerResponse {
  return { description, ...schemaOf({ content }) };
}

/** Returns the schema of a body, which is the same for all media types. */
function schemaOf({ content = {} }: { readonly content?: Content["content"] | undefined }): {
  readonly schema?: SwaggerSchema;
} {
  const [first] = Object.values(content);
  return first ? { schema: definitionRef(first.schema.$ref.replace(/^.*\//, "")) } : {};
}
