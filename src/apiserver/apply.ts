import type { KubeObject } from "../api/index.ts";
import { apply, TypedError } from "../patch/index.ts";
import { DecodeError, type JsonDocument, JsonSyntaxError, readJson } from "../schema/index.ts";
import type { ObjectAnswer } from "./answer.ts";
import { createObject } from "./create.ts";
import { plainDocument } from "./document.ts";
import { type Call, type Engine, storageKey } from "./engine.ts";
import { fieldWrite } from "./field-managers.ts";
import { modifyObject } from "./modify.ts";
import { apiVersionOf } from "./object-text.ts";
import { dedupeOwners } from "./owner-references.ts";
import type { PatchOptions } from "./patch-type.ts";
import { checkName, settleNamespace } from "./prepare.ts";
import { applyConflict, badRequest, conflict, notFound, unexplained } from "./status-error.ts";
import { readYaml, type YamlDocument } from "./yaml-document.ts";

/** PATCH by server-side apply: an object is made to have what is applied, or made at all. */
export async function applyPatch(engine: Engine, call: Call, options: PatchOptions): Promise<ObjectAnswer> {
  const config = await readConfig(call, options);
  const exists = engine.storage.get(storageKey(call.resource, call)) !== undefined;
  if (!exists) return applyAsNew(engine, call, { config, options });
  const wanted = (current: KubeObject): KubeObject =>
    applied(engine, call, { config, options, live: current });
  return { type: "object", code: 200, version: modifyObject(engine, call, { options, wanted }) };
}

export type Config = Readonly<Record<string, unknown>>;

/** What is applied, refused where it is of another kind. */
export async function readConfig(call: Call, { fieldValidation }: PatchOptions): Promise<Config> {
  const { value, repeated: lines } = await readApply(call.request.body);
  if (fieldValidation === "Strict" && lines.length > 0) {
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${lines.join("\n  ")}`,
    );
  }
  if (fieldValidation === "Warn") for (const line of lines) call.warnings.add(line);
  return checkedConfig(call, value ?? {});
}

/** Programs send JSON as YAML: without keys that come twice, it means the same. */
async function readApply(body: Buffer): Promise<YamlDocument> {
  try {
    const json = jsonOrNothing(body.toString());
    return json ? { ...json, repeated: [] } : await readYaml(body.toString());
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
    throw error;
  }
}

function jsonOrNothing(text: string): JsonDocument | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const document = readJson(text);
    return document.duplicates.length === 0 ? document : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined; // it may still be YAML
    throw error;
  }
}

function checkedConfig({ resource }: Call, value: unknown): Config {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const type = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
    );
  }
  const { apiVersion = "", kind = "", metadata } = value as Partial<KubeObject>;
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource)) {
    throw badRequest(
      `invalid object type: ${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`,
    );
  }
  if (metadata?.managedFields) throw badRequest("metadata.managedFields must be nil");
  return value as Config;
}

export interface Applying {
  readonly config: Config;
  readonly options: PatchOptions;
  readonly live?: KubeObject | undefined;
}

function applyAsNew(engine: Engine, call: Call, { config, options }: Applying): ObjectAnswer {
  const { resource, name, subresource } = call;
  if (subresource) throw notFound(resource, name);
  const { uid, ...metadata } = { ...(config.metadata as Partial<KubeObject["metadata"]> | undefined) };
  if (uid)
    throw conflict(
      resource,
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  const { resourceVersion: _, ...rest } = metadata;
  const object = applied(engine, call, { config: { ...config, metadata: rest }, options });
  return { type: "object", code: 201, version: createObject(engine, call, { object, options }) };
}

/** What applying makes of the live object, decoded as if it had been sent. */
export function applied(engine: Engine, call: Call, { config, options, live }: Applying): KubeObject {
  const result = typed(() =>
    apply({ ...fieldWrite(engine, call, { options, live }), config, force: options.force }),
  );
  if (result.type === "conflict") throw applyConflict(result.message, [...result.causes]);
  const { object } = typed(() => call.resource.codec.decode(plainDocument(result.object)));
  checkName(call, object);
  settleNamespace(call, object);
  dedupeOwners(object.metadata, call.warnings);
  return object;
}

/** What does not fit the schema is a failure that the real server has not foreseen. */
function typed<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypedError || error instanceof DecodeError) throw unexplained(error.message);
    throw error;
  }
}
