import { JsonSyntaxError } from "../../schema/index.ts";
import { readBody } from "../codec/document.ts";
import { typeMetaProblem } from "../codec/type-meta.ts";
import { StatusError } from "../types/status-error.ts";
import { WebhookCallError } from "./call-error.ts";
import { responseErrorText } from "./response-error.ts";

/** The response of a webhook. */
export interface WebhookResponse {
  readonly code: number;
  readonly type: string;
  readonly body: Buffer;
  /** Set if the webhook asked for another call, after this time. @default none */
  readonly retryAfterMs?: number | undefined;
}

/** The kind of a review: an AdmissionReview or a ConversionReview. */
export interface ReviewKind {
  readonly group: string;
  readonly version: "v1" | "v1beta1";
  readonly kind: "AdmissionReview" | "ConversionReview";
}

/** Returns the review in a response. Throws a `WebhookCallError` with the message of kube-apiserver if it has none. */
export async function reviewOf(
  { code, type, body }: WebhookResponse,
  expected: ReviewKind,
): Promise<unknown> {
  if (code < 200 || code > 206) throw new WebhookCallError(responseErrorText(code, body, type));
  if (body.length === 0)
    throw new WebhookCallError(`0-length response with status code: ${code} and content type: ${type}`);
  const value = await parsed(body);
  const problem = typeMetaProblem(value ?? {}) ?? kindProblem(value ?? {}, expected);
  if (problem !== undefined) throw new WebhookCallError(problem);
  return value;
}

/** Parses the body, which may be JSON or YAML. */
async function parsed(body: Buffer): Promise<unknown> {
  try {
    const json = body[0] === openingBrace || body[0] === openingBracket;
    return (await readBody(body, json ? "json" : "yaml")).document.value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !(error instanceof StatusError)) throw error;
    throw new WebhookCallError(`couldn't get version/kind; json parse error: ${error.message}`);
  }
}

const openingBrace = 0x7b;
const openingBracket = 0x5b;

/** Returns the error of a response that declares another kind. A response without a kind is decoded as a review. */
function kindProblem(value: unknown, { group, version, kind }: ReviewKind): string | undefined {
  const sent = value as { readonly kind?: string; readonly apiVersion?: string };
  const [sentKind, apiVersion] = [sent.kind || kind, sent.apiVersion || `${group}/${version}`];
  const known =
    apiVersion === "v1"
      ? sentKind === "Status"
      : sentKind === kind && versions.has(apiVersion.replace(`${group}/`, ""));
  if (!known)
    return `no kind "${sentKind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
  const sentVersion = apiVersion.split("/").at(-1);
  if (sentKind === kind && sentVersion === version) return undefined;
  return `converting (${sentVersion}.${sentKind}) to (${version}.${kind}): unknown conversion`;
}

const versions: ReadonlySet<string> = new Set(["v1", "v1beta1"]);
