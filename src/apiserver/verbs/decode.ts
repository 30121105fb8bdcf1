import { apiVersionOf, type KubeObject, kindName } from "../../api/index.ts";
import { facts } from "../../api/types/facts.ts";
import {
  DecodeError,
  decodeTyped,
  invalid,
  type JsonDocument,
  JsonSyntaxError,
  strictText,
  typedSchema,
} from "../../schema/index.ts";
import { checkValues } from "../codec/body-limit.ts";
import { type Body, readBody, readProtobufBody } from "../codec/document.ts";
import { inputEncoding } from "../codec/negotiation.ts";
import { typeMetaProblem } from "../codec/type-meta.ts";
import type { BuiltinKind } from "../codec/typed-codec.ts";
import { ProtobufError, ProtobufObjectError } from "../protobuf/protobuf-error.ts";
import { internalTypeName } from "../types/internal-type-name.ts";
import type { Decoded, Resource } from "../types/resource.ts";
import { badRequest, invalidObject, type StatusError } from "../types/status-error.ts";
import type { FieldValidation } from "../types/write-options.ts";
import type { Call } from "./engine.ts";

/** Reads the body of a call. Syntax errors name the expected kind. */
export async function callBody({ request, resource }: Call): Promise<Body> {
  const encoding = inputEncoding(request, resource);
  if (encoding === "protobuf") return protobufBody(request.body, resource);
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

async function protobufBody(bytes: Buffer, resource: Resource): Promise<Body> {
  try {
    return await readProtobufBody(bytes, resource);
  } catch (error) {
    if (error instanceof ProtobufObjectError) throw wrongObject(resource, error.kind, error.message);
    if (error instanceof ProtobufError) throw unrecognized(resource.kind, bytes, error.message);
    throw error;
  }
}

/**
 * Decodes a body as an object of the resource. Unknown and repeated fields are handled by the requested field
 * validation.
 */
export function decodeObject(call: Call, body: Body, validation: FieldValidation): KubeObject {
  const { resource, warnings } = call;
  checkKind(call, body, validation);
  const decoding = decodeWithProblems(resource, body.document);
  if (validation === "Strict") checkStrictly(resource, decoding, body);
  if (validation === "Warn") {
    for (const text of [...body.repeated, ...decoding.problems.map(strictText)]) warnings.add(text);
  }
  return resource.custom ? checkedCustomObject(resource, decoding.object, body) : decoding.object;
}

/** Decodes a document. If a custom object declares another kind, only errors of its metadata count. */
function decodeWithProblems(resource: Resource, document: JsonDocument): Decoded {
  const { object, problems } = decoded(resource, document);
  const { kind, apiVersion } = typeMetaOf(document) as Partial<KubeObject>;
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

/** Returns a custom object. Another API version is refused here, another kind later, by `checkCustomKind`. */
function checkedCustomObject(resource: Resource, object: KubeObject, { document }: Body): KubeObject {
  const { kind, apiVersion = "" } = typeMetaOf(document) as { kind: string; apiVersion?: string };
  const expected = apiVersionOf(resource);
  if (apiVersion === expected) return kind === object.kind ? object : asSent(object, document);
  throw badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
  );
}

/** Returns an object of another kind as it was sent: without its schema, nothing is pruned or defaulted. */
function asSent({ metadata }: KubeObject, { value }: JsonDocument): KubeObject {
  return { ...(value as KubeObject), metadata };
}

function decoded(resource: Resource, document: JsonDocument): Decoded {
  try {
    return resource.codec.decode(document);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { kind, apiVersion } = declaredKind(resource, typeMetaOf(document));
    const declaredVersion = resource.custom
      ? Reflect.get(Object(typeMetaOf(document)), "apiVersion")
      : apiVersion;
    throw wrongObject(
      resource,
      {
        kind,
        version:
          String(declaredVersion ?? "")
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
  const typeMeta = typeMetaOf(document);
  const problem = typeMetaProblem(typeMeta);
  if (problem !== undefined) throw unrecognized(resource.kind, bytes, problem);
  if (resource.custom) {
    const plain = validation === "Ignore" && inputEncoding(request, resource) === "json";
    return checkKindDeclared(resource, bytes, { typeMeta, plain });
  }
  const wrong = kindProblem(resource, typeMeta);
  if (wrong === undefined) return;
  const { kind, apiVersion } = declaredKind(resource, typeMeta);
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  throw wrongObject(resource, { kind, version }, decodeFault({ group, version, kind }, document) ?? wrong);
}

/**
 * Returns the decode error of an object that declares another built-in kind. kube-apiserver decodes it before it
 * refuses the kind.
 */
function decodeFault(typeMeta: BuiltinKind, { value, notes }: JsonDocument): string | undefined {
  const type = typedSchema(typeMeta);
  try {
    if (type) decodeTyped(value, type, { notes });
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

interface DeclaredKind {
  readonly typeMeta: unknown;
  /** True if the decoder ignores field errors, which changes the message. */
  readonly plain: boolean;
}

/** Checks that a custom object declares its kind and API version. */
function checkKindDeclared(resource: Resource, bytes: Buffer, { typeMeta, plain }: DeclaredKind): void {
  const { kind, apiVersion } = typeMeta as { readonly kind?: string; readonly apiVersion?: string | null };
  if (kind && apiVersion !== null) return;
  if (kind) {
    const nil = ".apiVersion accessor error: <nil> is of the type <nil>, expected string";
    throw wrongObject(resource, { kind, version: "" }, nil);
  }
  const missing = `Object 'Kind' is missing in '${bytes}'`;
  throw plain ? wrongObject(resource, resource, missing) : unrecognized(resource.kind, bytes, missing);
}

/** Throws a `StatusError` if a custom object declares another kind. */
export function checkCustomKind(resource: Resource, object: KubeObject, before?: KubeObject): void {
  const problem = resource.custom ? customKindError(resource, object, before) : undefined;
  if (problem) throw problem;
}

/** Returns the error of a custom object that declares another kind. */
export function customKindError(
  resource: Resource,
  value: unknown,
  before?: KubeObject,
): StatusError | undefined {
  const { kind, apiVersion } = declaredKind(resource, value);
  const { metadata } = (value ?? {}) as { metadata?: { name?: unknown } };
  const expected = apiVersionOf(resource);
  const errors = [
    ...(apiVersion === expected ? [] : [invalid("apiVersion", apiVersion, `must be ${expected}`)]),
    ...(kind === resource.kind ? [] : [invalid("kind", kind, `must be ${resource.kind}`)]),
  ];
  if (errors.length === 0) return undefined;
  // The caller has checked that the value is an object.
  const others = resource.codec.validate(value as KubeObject, before);
  return invalidObject({ group: resource.group, kind }, String(metadata?.name ?? ""), [...errors, ...others]);
}

/** Returns the error of an object that declares another kind or version, or `undefined`. */
export function kindProblem(resource: Resource, value: unknown): string | undefined {
  const { kind, apiVersion } = declaredKind(resource, value);
  if (kind === resource.kind && apiVersion === apiVersionOf(resource)) return undefined;
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  if (facts().schemaNames.has(kindName({ group, version, kind }))) {
    return `converting (${version}.${kind}) to (${internalTypeName(resource)}): unknown conversion`;
  }
  return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
}

/** Returns the declared kind and API version; those of the resource by default. */
function declaredKind(resource: Resource, value: unknown): { kind: string; apiVersion: string } {
  const { kind, apiVersion } = (value ?? {}) as { kind?: string; apiVersion?: string };
  return { kind: kind || resource.kind, apiVersion: apiVersion || apiVersionOf(resource) };
}

function typeMetaOf({ value }: JsonDocument): unknown {
  return value === null ? {} : value;
}

/** Creates the error of a body whose kind cannot be determined. */
export function unrecognized(kind: string, bytes: Buffer, why: string): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(bytes)})`,
  );
}

/** Creates the error of a body that cannot be decoded as the expected kind. */
export function wrongObject(
  { kind: expected }: Pick<Resource, "kind">,
  { kind, version }: Pick<Resource, "kind" | "version">,
  why: string,
): Error {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${expected}: ${why}`);
}

const maxSummaryBytes = 30;

function summary(bytes: Buffer): string {
  if (bytes.length === 0) return "<empty>";
  const head = bytes.subarray(0, maxSummaryBytes);
  const text = bytes[0] === 0x7b ? head.toString() : head.toString("hex");
  return bytes.length > maxSummaryBytes ? `${text} ...` : text;
}
