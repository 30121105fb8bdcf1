import { type KubeObject, kindName } from "../api/index.ts";
import { facts } from "../api/types/facts.ts";
import { DecodeError, type JsonDocument, JsonSyntaxError, strictText } from "../schema/index.ts";
import { type Body, readBody } from "./document.ts";
import type { Call } from "./engine.ts";
import { inputEncoding } from "./negotiation.ts";
import { apiVersionOf } from "./object-text.ts";
import type { Decoded, Resource } from "./resource.ts";
import { badRequest, tooLarge } from "./status-error.ts";
import type { FieldValidation } from "./write-options.ts";

/** The largest body that is read, in bytes. */
export const largestBody: number = 3 * 1024 * 1024;

/** Reads the body of a call. Syntax errors are told as those of the kind that was expected. */
export async function callBody({ request, resource }: Call): Promise<Body> {
  const encoding = inputEncoding(request, resource);
  checkSize(request.body);
  try {
    return await readBody(request.body, encoding);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const prefix = encoding === "json" ? "couldn't get version/kind; json parse error: " : "";
    throw unrecognized(resource.kind, request.body, `${prefix}${error.message}`);
  }
}

export function checkSize(body: Buffer): void {
  if (body.length > largestBody) throw tooLarge(`Request entity too large: limit is ${largestBody}`);
}

/** The object of a body that should be one of the resource. Unknown and repeated fields are dealt with as was asked. */
export function decodeObject(call: Call, body: Body, validation: FieldValidation): KubeObject {
  const { resource, warnings } = call;
  checkKind(resource, body);
  const { object, problems } = decoded(resource, body.document);
  const { repeated } = body;
  if (validation === "Ignore" || problems.length + repeated.length === 0) return object;
  const texts = problems.map(strictText);
  if (validation === "Strict") {
    const yaml = repeated.length > 0 ? [`yaml: unmarshal errors:\n  ${repeated.join("\n  ")}`] : [];
    throw wrongObject(resource, resource, `strict decoding error: ${[...yaml, ...texts].join(", ")}`);
  }
  for (const text of [...repeated, ...texts]) warnings.add(text);
  return object;
}

function decoded(resource: Resource, document: JsonDocument): Decoded {
  try {
    return resource.codec.decode(document);
  } catch (error) {
    if (error instanceof DecodeError) throw wrongObject(resource, resource, error.message);
    throw error;
  }
}

function checkKind(resource: Resource, { bytes, document }: Body): void {
  const claim = claimOf(document);
  const fault = claimFault(claim);
  if (fault !== undefined) throw unrecognized(resource.kind, bytes, fault);
  const wrong = kindFault(resource, claim);
  if (wrong === undefined) return;
  const { kind, apiVersion } = claimed(resource, claim);
  throw wrongObject(resource, { kind, version: apiVersion.split("/").at(-1) ?? "" }, wrong);
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
export function claimFault(claim: unknown): string | undefined {
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
