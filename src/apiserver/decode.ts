import { type KubeObject, kindName } from "../api/index.ts";
import { facts } from "../api/types/facts.ts";
import {
  DecodeError,
  decodeTyped,
  invalid,
  type JsonDocument,
  JsonSyntaxError,
  strictText,
  typedSchema,
} from "../schema/index.ts";
import { checkValues } from "./body-limit.ts";
import { type Body, readBody } from "./document.ts";
import type { Call } from "./engine.ts";
import { inputEncoding } from "./negotiation.ts";
import { apiVersionOf } from "./object-text.ts";
import type { Decoded, Resource } from "./resource.ts";
import { badRequest, invalidObject, type StatusError } from "./status-error.ts";
import type { BuiltinKind } from "./typed-codec.ts";
import type { FieldValidation } from "./write-options.ts";

/** Reads the body of a call. Syntax errors are told as those of the kind that was expected. */
export async function callBody({ request, resource }: Call): Promise<Body> {
  const encoding = inputEncoding(request);
  if (encoding === "json") checkValues(request.body, resource);
  try {
    return await readBody(request.body, encoding, { keepHuge: !resource.custom });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (error.message.startsWith("json: cannot unmarshal"))
      throw wrongObject(resource, resource, error.message);
    const prefix = encoding === "json" ? "couldn't get version/kind; json parse error: " : "";
    throw unrecognized(resource.kind, request.body, `${prefix}${error.message}`);
  }
}

/** The object of a body that should be one of the resource. Unknown and repeated fields are dealt with as was asked. */
export function decodeObject(call: Call, body: Body, validation: FieldValidation): KubeObject {
  const { resource, warnings } = call;
  checkKind(call, body, validation);
  const decoding = looked(resource, body.document);
  if (validation === "Strict") checkStrictly(resource, decoding, body);
  if (validation === "Warn") {
    for (const text of [...body.repeated, ...decoding.problems.map(strictText)]) warnings.add(text);
  }
  return resource.custom ? asClaimed(resource, decoding.object, body) : decoding.object;
}

/** Of an object that says it is of another kind, the schema of a custom one is not asked. */
function looked(resource: Resource, document: JsonDocument): Decoded {
  const { object, problems } = decoded(resource, document);
  const { kind, apiVersion } = claimOf(document) as Partial<KubeObject>;
  const own = kind === resource.kind && apiVersion === apiVersionOf(resource);
  if (!resource.custom || own) return { object, problems };
  return { object, problems: problems.filter(({ path }) => path.startsWith("metadata.")) };
}

function checkStrictly(resource: Resource, { problems }: Decoded, { repeated }: Body): void {
  if (problems.length + repeated.length === 0) return;
  const yaml = repeated.length > 0 ? [`yaml: unmarshal errors:\n  ${repeated.join("\n  ")}`] : [];
  const texts = problems.map(strictText);
  throw wrongObject(resource, resource, `strict decoding error: ${[...yaml, ...texts].join(", ")}`);
}

/** A custom object of another version is refused, and one of another kind only when its kind is checked. */
function asClaimed(resource: Resource, object: KubeObject, { document }: Body): KubeObject {
  const { kind, apiVersion = "" } = claimOf(document) as { kind: string; apiVersion?: string };
  const expected = apiVersionOf(resource);
  if (apiVersion === expected) return kind === object.kind ? object : asSent(object, document);
  throw badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
  );
}

/** Of another kind nothing but metadata is known, so nothing is left out or filled in. */
function asSent({ metadata }: KubeObject, { value }: JsonDocument): KubeObject {
  return { ...(value as KubeObject), metadata };
}

function decoded(resource: Resource, document: JsonDocument): Decoded {
  try {
    return resource.codec.decode(document);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { kind, apiVersion } = claimed(resource, claimOf(document));
    const said = resource.custom ? Reflect.get(Object(claimOf(document)), "apiVersion") : apiVersion;
    throw wrongObject(
      resource,
      {
        kind,
        version:
          String(said ?? "")
            .split("/")
            .at(-1) ?? "",
      },
      error.message,
    );
  }
}

function checkKind(
  { request, resource }: Call,
  { bytes, document }: Body,
  validation: FieldValidation,
): void {
  const claim = claimOf(document);
  const fault = typeMetaFault(claim);
  if (fault !== undefined) throw unrecognized(resource.kind, bytes, fault);
  if (resource.custom) {
    const plain = validation === "Ignore" && inputEncoding(request) === "json";
    return checkKindSaid(resource, bytes, { claim, plain });
  }
  const wrong = kindFault(resource, claim);
  if (wrong === undefined) return;
  const { kind, apiVersion } = claimed(resource, claim);
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  throw wrongObject(resource, { kind, version }, readFault({ group, version, kind }, document) ?? wrong);
}

/** What is wrong with an object of another kind, which is read before it is refused for that. */
function readFault(claim: BuiltinKind, { value, notes }: JsonDocument): string | undefined {
  const type = typedSchema(claim);
  try {
    if (type) decodeTyped(value, type, { notes });
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

interface Saying {
  readonly claim: unknown;
  /** Whether it is read without looking for faults, which has other words. */
  readonly plain: boolean;
}

/** Objects of custom kinds have to say what they are. */
function checkKindSaid(resource: Resource, bytes: Buffer, { claim, plain }: Saying): void {
  const { kind, apiVersion } = claim as { readonly kind?: string; readonly apiVersion?: string | null };
  if (kind && apiVersion !== null) return;
  if (kind) {
    const nil = ".apiVersion accessor error: <nil> is of the type <nil>, expected string";
    throw wrongObject(resource, { kind, version: "" }, nil);
  }
  const missing = `Object 'Kind' is missing in '${bytes}'`;
  throw plain ? wrongObject(resource, resource, missing) : unrecognized(resource.kind, bytes, missing);
}

/** Refuses an object that says it is of another kind than the custom one it should be. */
export function checkCustomKind(resource: Resource, object: KubeObject, before?: KubeObject): void {
  const fault = resource.custom ? customKindFault(resource, object, before) : undefined;
  if (fault) throw fault;
}

/** What is against an object that says it is of another kind than the custom one it should be. */
export function customKindFault(
  resource: Resource,
  value: unknown,
  before?: KubeObject,
): StatusError | undefined {
  const { kind, apiVersion } = claimed(resource, value);
  const { metadata } = (value ?? {}) as { metadata?: { name?: unknown } };
  const expected = apiVersionOf(resource);
  const errors = [
    ...(apiVersion === expected ? [] : [invalid("apiVersion", apiVersion, `must be ${expected}`)]),
    ...(kind === resource.kind ? [] : [invalid("kind", kind, `must be ${resource.kind}`)]),
  ];
  if (errors.length === 0) return undefined;
  // The type of a value that says its kind was looked at before.
  const others = resource.codec.validate(value as KubeObject, before);
  return invalidObject({ group: resource.group, kind }, String(metadata?.name ?? ""), [...errors, ...others]);
}

/** What the server has against an object that says it is of another kind or version; nothing if it does not. */
export function kindFault(resource: Resource, value: unknown): string | undefined {
  const { kind, apiVersion } = claimed(resource, value);
  if (kind === resource.kind && apiVersion === apiVersionOf(resource)) return undefined;
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  if (facts().schemaNames.has(kindName({ group, version, kind }))) {
    return `converting (${version}.${kind}) to (${goPackage(resource)}.${resource.kind}): unknown conversion`;
  }
  return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
}

/** The package that the real server has the kind in. */
function goPackage({ group }: Resource): string {
  if (group === "internal.apiserver.k8s.io") return "apiserverinternal";
  return group === "" ? "core" : (group.split(".")[0] ?? "");
}

/** What an object says it is; as long as it does not say, it is the resource's. */
function claimed(resource: Resource, value: unknown): { kind: string; apiVersion: string } {
  const { kind, apiVersion } = (value ?? {}) as { kind?: string; apiVersion?: string };
  return { kind: kind || resource.kind, apiVersion: apiVersion || apiVersionOf(resource) };
}

function claimOf({ value }: JsonDocument): unknown {
  return value === null ? {} : value;
}

const claimType =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** What Go's decoder has against the part of a document that says its kind. */
export function typeMetaFault(claim: unknown): string | undefined {
  const prefix = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (typeof claim !== "object" || claim === null || Array.isArray(claim)) {
    return `${prefix} ${jsonWord(claim)} into Go value of type ${claimType}`;
  }
  for (const field of ["apiVersion", "kind"] as const) {
    const value: unknown = Object.hasOwn(claim, field) ? Reflect.get(claim, field) : undefined;
    if (value === undefined || value === null || typeof value === "string") continue;
    return `${prefix} ${jsonWord(value)} into Go struct field .${field} of type string`;
  }
  const apiVersion = Reflect.get(claim, "apiVersion") as string | undefined;
  if ((apiVersion ?? "").split("/").length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  return undefined;
}

function jsonWord(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value === "bigint" ? "number" : typeof value;
}

/** A body that says no kind at all. */
export function unrecognized(kind: string, bytes: Buffer, why: string): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(bytes)})`,
  );
}

/** A body that cannot be the object it should be. */
export function wrongObject(
  { kind: expected }: Pick<Resource, "kind">,
  { kind, version }: Pick<Resource, "kind" | "version">,
  why: string,
): Error {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${expected}: ${why}`);
}

const longestSummary = 30;

function summary(bytes: Buffer): string {
  if (bytes.length === 0) return "<empty>";
  const shown = bytes.subarray(0, longestSummary);
  const text = bytes[0] === 0x7b ? shown.toString() : shown.toString("hex");
  return bytes.length > longestSummary ? `${text} ...` : text;
}
