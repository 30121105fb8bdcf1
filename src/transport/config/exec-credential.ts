import { asError } from "../../base/index.ts";
import { type ClientCertificate, clientCertificate } from "./client-certificate.ts";
import type { Credential } from "./credential.ts";
import { execApiVersions } from "./exec-section.ts";
import { parseTime } from "./parse-time.ts";

/** The cluster as a plugin receives it, with the field names of `client.authentication.k8s.io`. */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string | undefined;
  readonly "insecure-skip-tls-verify"?: boolean | undefined;
  /** PEM in base64, even if the configuration names a file. */
  readonly "certificate-authority-data"?: string | undefined;
  readonly "proxy-url"?: string | undefined;
  readonly config?: unknown;
}

export interface ExecRequest {
  readonly apiVersion: string;
  /** True if the plugin may prompt on the terminal. */
  readonly interactive: boolean;
  readonly cluster?: ExecCluster | undefined;
}

/** Returns the value of `KUBERNETES_EXEC_INFO` for a plugin. */
export function execInfo({ apiVersion, interactive, cluster }: ExecRequest): string {
  return JSON.stringify({ apiVersion, kind: "ExecCredential", spec: { cluster, interactive } });
}

export interface ExecReply {
  readonly credential: Credential;
  /** When the credential expires, in wall-clock milliseconds. `Infinity` if it has no expiry. */
  readonly expiresMs: number;
}

export interface ReadReplyOptions {
  /** The version of the request. The plugin has to reply in the same version. */
  readonly apiVersion: string;
  readonly nowMs: number;
}

/**
 * Parses the output of a plugin. Error messages continue `expected credential plugin "aws" …`, so they start with "to".
 */
export function readReply(output: string, { apiVersion, nowMs }: ReadReplyOptions): ExecReply {
  const reply = asMap(parse(output), "to print an object");
  expectValue("kind", reply.kind, "ExecCredential");
  expectValue("apiVersion", reply.apiVersion, apiVersion);
  const status = asMap(reply.status, "to print a status");
  const token = readText(status, "token");
  const certificate = readCertificate(status, nowMs);
  if (!token && !certificate) throw new Error("to print a token or a certificate, got neither");
  const expiresMs = Math.min(readExpiry(status), certificate?.expiresMs ?? Number.POSITIVE_INFINITY);
  return { credential: { authorization: token && `Bearer ${token}`, certificate }, expiresMs };
}

type JsonMap = Readonly<Record<string, unknown>>;

/**
 * Parses JSON. The error has no quote and no cause, because the output may be a secret, and a SyntaxError quotes its
 * input.
 */
function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    const got = output.trim() === "" ? "nothing" : `${Buffer.byteLength(output)} bytes that are not JSON`;
    throw new Error(`to print JSON, got ${got}`);
  }
}

function asMap(value: unknown, expected: string): JsonMap {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonMap; // checked on this line
  throw new Error(`${expected}, got ${value === undefined ? "none" : `a ${typeof value}`}`);
}

/**
 * Throws unless the value is the expected one. The message shows only known values, because a broken plugin may print a
 * secret.
 */
function expectValue(field: string, value: unknown, expected: string): void {
  if (value === expected) return;
  const known = execApiVersions.find((version) => version === value);
  throw new Error(
    `to print ${field} ${expected}, got ${known ?? (value === undefined ? "none" : "another one")}`,
  );
}

/** Reads a string. An empty string counts as absent. Messages do not show the value, because it is a secret. */
function readText(status: JsonMap, field: string): string | undefined {
  const value = status[field];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new Error(`to print status.${field} as a string, got a ${typeof value}`);
}

function readExpiry(status: JsonMap): number {
  const text = readText(status, "expirationTimestamp");
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const expiresMs = parseTime(text);
  if (!Number.isNaN(expiresMs)) return expiresMs;
  throw new Error("to print status.expirationTimestamp as an RFC 3339 time, got another text");
}

function readCertificate(status: JsonMap, nowMs: number): ClientCertificate | undefined {
  const cert = readText(status, "clientCertificateData");
  const key = readText(status, "clientKeyData");
  if (!cert && !key) return undefined;
  if (!cert) throw new Error("to print a certificate beside its key, got the key alone");
  if (!key) throw new Error("to print a key beside its certificate, got the certificate alone");
  return clientCertificate({
    cert,
    key,
    nowMs,
    fault: (part, { expected, got, cause }) =>
      new Error(`to print ${fieldOf[part]} ${expected.replace("to be", "as")}, got ${got}`, {
        cause: cause && asError(cause),
      }),
  });
}

const fieldOf = { cert: "status.clientCertificateData", key: "status.clientKeyData" } as const;
