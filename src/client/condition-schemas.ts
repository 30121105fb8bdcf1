import { type AnyKind, type Kind, kindName } from "../api/index.ts";
import { unlessAborted } from "../base/index.ts";
import { isForbidden, type Transport } from "../transport/index.ts";
import { fetchJson } from "./fetch-json.ts";

/** How a kind stores `status.conditions`. */
export interface ConditionSchema {
  /** True if conditions have `observedGeneration`. */
  readonly observedGeneration: boolean;
}

/**
 * The schemas of `status.conditions`, read from the server's OpenAPI documents once per kind. Concurrent calls share one
 * request, and a failed one is repeated by the next call.
 */
export class ConditionSchemas {
  readonly #lookups = new Map<string, Promise<ConditionSchema>>();

  /**
   * Returns the schema of the kind's conditions. Throws unless they are a list with one condition per `type`: an apply
   * would replace the conditions of other field managers in any other list.
   */
  get(transport: Transport, kind: Kind, signal: AbortSignal | undefined): Promise<ConditionSchema> {
    const name = kindName(kind);
    const lookup = this.#lookups.get(name) ?? this.#start(name, lookUp(transport, kind));
    return unlessAborted(lookup, signal);
  }

  #start(name: string, lookup: Promise<ConditionSchema>): Promise<ConditionSchema> {
    this.#lookups.set(name, lookup);
    lookup.catch(() => this.#lookups.delete(name)); // every waiting call gets the error
    return lookup;
  }
}

async function lookUp(transport: Transport, kind: Kind): Promise<ConditionSchema> {
  const schemas = await fetchSchemas(transport, kind);
  const named = Object.values(schemas).find((schema) => isOfKind(schema, kind));
  const at = (schema: Schema | undefined, field: string): Schema | undefined =>
    resolved(schemas, schema)?.properties?.[field];
  const conditions = at(at(named, "status"), "conditions");
  if (!conditions) throw new TypeError(`expected a kind whose status has conditions, got ${kindName(kind)}`);
  expectListMap(kind, conditions);
  return { observedGeneration: at(conditions.items, "observedGeneration") !== undefined };
}

function expectListMap(kind: Kind, conditions: Schema): void {
  const { "x-kubernetes-list-type": type = "atomic", "x-kubernetes-list-map-keys": keys = [] } = conditions;
  if (type === "map" && keys.length === 1 && keys[0] === "type") return;
  const got = type === "map" ? `a list by ${keys.join(", ")}` : `a list of type ${type}`;
  throw new TypeError(
    `expected status.conditions of ${kindName(kind)} to be a list with one condition per type, got ${got}: ` +
      "an apply would remove the conditions of other field managers; use conditions() of trimtab/zod in your own kind " +
      '(x-kubernetes-list-type "map" by "type"), or pass whole conditions with lastTransitionTime',
  );
}

async function fetchSchemas(
  transport: Transport,
  { group, version }: AnyKind,
): Promise<Readonly<Record<string, Schema>>> {
  const path = group === "" ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`;
  try {
    const { components } = await fetchJson<Document>(transport, { method: "GET", path });
    return components?.schemas ?? {};
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new Error(
      "applying conditions without lastTransitionTime needs the schema of the kind; " +
        'grant "get" on the nonResourceURLs "/openapi/v3" and "/openapi/v3/*" (ClusterRole system:discovery), ' +
        "or pass whole conditions",
      { cause: error },
    );
  }
}

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** The parts of an OpenAPI schema that describe conditions. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-group-version-kind"?: readonly AnyKind[];
}

function isOfKind(schema: Schema, { group, version, kind }: Kind): boolean {
  const named = schema["x-kubernetes-group-version-kind"] ?? [];
  return (
    schema.properties?.status !== undefined &&
    named.some((each) => each.group === group && each.version === version && each.kind === kind)
  );
}

/** Follows a reference, which built-in kinds have in `allOf` beside a default. */
function resolved(schemas: Readonly<Record<string, Schema>>, schema: Schema | undefined): Schema | undefined {
  const reference = schema?.$ref ?? schema?.allOf?.find(({ $ref }) => $ref)?.$ref;
  return reference === undefined ? schema : schemas[reference.slice(reference.lastIndexOf("/") + 1)];
}
