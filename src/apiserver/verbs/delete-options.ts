import {
  DecodeError,
  decodeTyped,
  type FieldError,
  invalid,
  JsonSyntaxError,
  notSupported,
  type TypedSchema,
  typedSchema,
} from "../../schema/index.ts";
import { checkValues } from "../codec/body-limit.ts";
import { type Body, readBody, readProtobufBody } from "../codec/document.ts";
import { inputEncoding } from "../codec/negotiation.ts";
import { typeMetaProblem } from "../codec/type-meta.ts";
import { ProtobufError } from "../protobuf/protobuf-error.ts";
import type { ServerRequest } from "../types/exchange.ts";
import { badRequest, invalidObject } from "../types/status-error.ts";
import { dryRunErrors } from "../types/write-options.ts";
import type { Call } from "./engine.ts";
import { boolean, integer } from "./list-options.ts";

export type PropagationPolicy = "Orphan" | "Background" | "Foreground";

/** The options of a deletion. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: PropagationPolicy | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly dryRun: boolean;
}

/** Reads the options from the body, or from the query if the body is empty. */
export async function deleteOptions(call: Call): Promise<DeleteOptions> {
  const { body } = call.request;
  const raw = body.length > 0 ? await fromBody(call) : fromQuery(call.request.query);
  const errors = optionErrors(raw);
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  const { dryRun = [], ...rest } = raw;
  return { ...(rest as Omit<DeleteOptions, "dryRun">), dryRun: dryRun.length > 0 }; // only known policies pass the validation
}

interface RawDeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: DeleteOptions["preconditions"];
  readonly dryRun?: readonly string[] | undefined;
}

async function fromBody({ request }: Call): Promise<RawDeleteOptions> {
  try {
    const { document } = await optionsBody(request);
    const problem = typeMetaProblem(document.value);
    if (problem !== undefined) throw badRequest(problem);
    checkKind(document.value);
    // The schema of the kind determines the type.
    return decodeTyped(document.value ?? {}, optionsType(), { notes: document.notes })
      .value as RawDeleteOptions;
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
    if (error instanceof DecodeError || error instanceof ProtobufError) throw badRequest(error.message);
    throw error;
  }
}

/** Reads the body. Options have a protobuf form, also those of custom kinds. */
async function optionsBody(request: ServerRequest): Promise<Body> {
  const encoding = inputEncoding(request, { custom: false });
  if (encoding === "protobuf") return readProtobufBody(request.body, optionsKind);
  if (encoding === "json") checkValues(request.body, optionsKind);
  return readBody(request.body, encoding);
}

const optionsKind = { group: "", version: "v1", kind: "DeleteOptions" };

/** Throws a `StatusError` for another kind. DeleteOptions exist in every group and version. */
function checkKind(value: unknown): void {
  const sent = (value ?? {}) as { readonly kind?: string; readonly apiVersion?: string };
  const [kind, apiVersion] = [sent.kind || "DeleteOptions", sent.apiVersion || "v1"];
  if (kind === "DeleteOptions") return;
  throw badRequest(
    `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function optionsType(): TypedSchema {
  const type = typedSchema(optionsKind);
  if (!type) throw new Error("expected a schema of DeleteOptions, got none");
  return type;
}

function fromQuery(query: URLSearchParams): RawDeleteOptions {
  return {
    gracePeriodSeconds: integer(query, "gracePeriodSeconds"),
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    orphanDependents: boolean(query, "orphanDependents"),
    dryRun: query.getAll("dryRun"),
  };
}

const policies: readonly string[] = ["Foreground", "Background", "Orphan"] satisfies PropagationPolicy[];

function optionErrors({ propagationPolicy, orphanDependents, dryRun = [] }: RawDeleteOptions): FieldError[] {
  const both = propagationPolicy !== undefined && orphanDependents !== undefined;
  const known = propagationPolicy === undefined || policies.includes(propagationPolicy);
  return [
    ...(both
      ? [
          invalid(
            "propagationPolicy",
            propagationPolicy,
            "orphanDependents and deletionPropagation cannot be both set",
          ),
        ]
      : []),
    ...(known ? [] : [notSupported("propagationPolicy", propagationPolicy, [...policies, "nil"])]),
    ...dryRunErrors(dryRun),
  ];
}
