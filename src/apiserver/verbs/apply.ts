import { apiVersionOf, type KubeObject } from "../../api/index.ts";
import { type Steps, TimeSlice, type WaitingSteps } from "../../base/index.ts";
import { apply, TypedError } from "../../patch/index.ts";
import {
  DecodeError,
  type JsonDocument,
  JsonSyntaxError,
  jsonTypeName,
  readJson,
} from "../../schema/index.ts";
import { checkValues } from "../codec/body-limit.ts";
import { plainDocument } from "../codec/document.ts";
import { storageKey } from "../storage/storage-key.ts";
import { applyConflict, badRequest, conflict, notFound, unknownError } from "../types/status-error.ts";
import { dedupeOwners } from "../validation/owner-references.ts";
import { readYaml, type YamlDocument } from "../yaml/yaml-document.ts";
import { createObject } from "./create.ts";
import type { Call, Engine } from "./engine.ts";
import { fieldWrite } from "./field-managers.ts";
import { guaranteedUpdate } from "./guaranteed-update.ts";
import type { PatchOptions } from "./patch-type.ts";
import { checkName, checkVersionText, settleNamespace } from "./prepare.ts";
import type { ObjectResult } from "./verb-result.ts";

/** Handles PATCH with server-side apply: updates an object with the applied fields, or creates it. */
export async function applyPatch(engine: Engine, call: Call, options: PatchOptions): Promise<ObjectResult> {
  const { resource, name, subresource } = call;
  const exists = (): boolean => engine.storage.get(storageKey(resource, call)) !== undefined;
  const creates = !subresource || resource.strategy.createOnUpdate;
  if (!exists() && !creates) throw notFound(resource, name); // before the configuration is read
  const slice = new TimeSlice(engine.clock);
  const config = await readConfig(call);
  if (slice.over) await slice.pause();
  // The object may have been created meanwhile.
  if (!exists() && creates) return slice.run(applyAsNew(engine, call, { ...config, options }));
  const tryUpdate = (current: KubeObject): Steps<KubeObject> =>
    withApplied(engine, call, { ...config, options, live: current });
  const version = await slice.run(guaranteedUpdate(engine, call, { options, tryUpdate, applied: true }));
  return { type: "object", code: 200, version };
}

export type Config = Readonly<Record<string, unknown>>;

export interface SentConfig {
  readonly config: Config;
  /** Errors about repeated keys, one per key. */
  readonly repeated: readonly string[];
}

/** Reads the applied configuration. Throws a `StatusError` if it is of another kind. */
export async function readConfig(call: Call): Promise<SentConfig> {
  const { value, repeated } = await readApply(call);
  return { config: checkedConfig(call, value ?? {}), repeated };
}

/** Reads the body. Most clients send JSON as YAML, which means the same unless keys are repeated. */
async function readApply({ request: { body }, resource }: Call): Promise<YamlDocument> {
  if (body[0] === openingBrace) checkValues(body, resource);
  try {
    const json = jsonOrNothing(body.toString());
    return json ? { ...json, repeated: [] } : await readYaml(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
    throw error;
  }
}

const openingBrace = 0x7b;

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
    const type = jsonTypeName(value);
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
    );
  }
  const { apiVersion, kind, metadata } = value as Partial<KubeObject>;
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource)) {
    throw badRequest(`invalid object type: ${describedKind(textOf(apiVersion), textOf(kind))}`);
  }
  if (metadata?.managedFields) throw badRequest("metadata.managedFields must be nil");
  return value as Config;
}

/** Returns the text, or an empty one for another type. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the kind as `apps/v1, Kind=Deployment`. An invalid group and version is described as an empty kind. */
function describedKind(apiVersion: string, kind: string): string {
  if (apiVersion.split("/").length > 2) return "/, Kind=";
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

export interface ApplyRequest extends SentConfig {
  readonly options: PatchOptions;
  readonly live?: KubeObject | undefined;
}

function* applyAsNew(engine: Engine, call: Call, request: ApplyRequest): WaitingSteps<ObjectResult> {
  const object = yield* withApplied(engine, call, request);
  checkVersionText(object);
  const { options } = request;
  const version = yield* createObject(engine, call, { object, options, applied: true, upsert: true });
  return { type: "object", code: 201, version };
}

/** Returns the live object with the applied configuration, decoded as if it had been sent. */
export function* withApplied(engine: Engine, call: Call, request: ApplyRequest): Steps<KubeObject> {
  const { config, options, live } = request;
  const result = yield* typed(
    apply({ ...fieldWrite(engine, call, { options, live }), config, force: options.force }),
  );
  yield;
  if (result.type === "conflict") throw applyConflict(result.message, [...result.causes]);
  const object = yield* typed(decoded(call, result.object), `${conversionProblem(config)}: `);
  checkRepeated(call, request);
  checkNoUid(call, object, live);
  settleNamespace(call, object);
  checkName(call, object);
  dedupeOwners(object.metadata, call.warnings);
  return object;
}

function* decoded(call: Call, value: Config): Steps<KubeObject> {
  const { codec } = call.resource;
  const sent = readable(call, value);
  const object = codec.asApplied?.(sent) ?? codec.decode(plainDocument(sent)).object;
  yield;
  return object;
}

/** Returns the object without the creation timestamp if it is custom: kube-apiserver does not read it there. */
function readable({ resource }: Call, object: Config): Config {
  if (!resource.custom) return object;
  const { creationTimestamp: _, ...metadata } = object.metadata as Record<string, unknown>;
  return { ...object, metadata };
}

function checkRepeated({ warnings }: Call, { repeated, options: { fieldValidation } }: ApplyRequest): void {
  if (fieldValidation === "Strict" && repeated.length > 0) {
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${repeated.join("\n  ")}`,
    );
  }
  if (fieldValidation === "Warn") for (const line of repeated) warnings.add(line);
}

/** Throws a conflict if the configuration has a uid and no object exists. */
function checkNoUid({ resource, name }: Call, { metadata: { uid } }: KubeObject, live?: KubeObject): void {
  if (live || !uid) return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(resource, name, why);
}

function conversionProblem({ apiVersion, kind, metadata }: Config): string {
  const { namespace, name } = (metadata ?? {}) as Partial<KubeObject["metadata"]>;
  const type = describedKind(textOf(apiVersion), textOf(kind));
  const what = `failed to convert new object (${textOf(namespace)}/${textOf(name)}; ${type}) to proper version`;
  return `${what}: unable to convert unstructured object to ${type}`;
}

/** Returns the message with the prefix that kube-apiserver adds to base64 errors. */
export function withBase64Prefix(message: string): string {
  return message.startsWith("illegal base64") ? `error decoding from json: ${message}` : message;
}

/** Converts schema errors to errors of an unknown reason (500), as kube-apiserver does. */
function* typed<T>(steps: Steps<T>, doing = ""): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    if (error instanceof TypedError || error instanceof DecodeError)
      throw unknownError(doing + withBase64Prefix(error.message));
    throw error;
  }
}
