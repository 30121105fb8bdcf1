import { below, type Rng } from "../src/base/index.ts";
import { chance, mutated, pick } from "./draw.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const body = JSON.stringify({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { generateName: "fuzz-" },
  data: { a: "é" },
});

const targets = [
  maps,
  `${maps}?limit=5&labelSelector=a%3Db`,
  `${maps}/missing`,
  `${maps}?watch=true&timeoutSeconds=1`,
  `${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
  "/apis/apps/v1/deployments",
  "/openapi/v3",
  "/version",
  "/",
  "*",
  "//api/../x",
  "/%00%zz",
  "http://elsewhere/api",
  `/${"a".repeat(2000)}`,
] as const;

const lengths = ["-1", "+5", "1e3", "0x10", "99999999999999999999", "5, 5", "", " 3 ", "3000000000"] as const;
const encodings = [
  "chunked",
  "Chunked",
  "chunked, chunked",
  "identity",
  "gzip, chunked",
  "chunked;q=1",
] as const;
const chunkSizes = ["5", "05", "FF", "fffffffffffffffff", "-1", "0x5", "5;name=value", "", "5 "] as const;

const headers = [
  "Connection: close",
  "Connection: keep-alive, x",
  "Expect: 100-continue",
  "Expect: something",
  "Accept: application/yaml",
  "Accept: application/json;as=Table;v=v1;g=meta.k8s.io",
  "Accept-Encoding: gzip",
  "Authorization: Bearer x.y.z.w",
  "Content-Type: application/yaml",
  "Content-Type: application/apply-patch+yaml",
  "Content-Type: application/vnd.kubernetes.protobuf",
  "Impersonate-User: é",
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13",
  "X-Folded: a\r\n b",
  `X-Long: ${"x".repeat(20_000)}`,
  "X-Odd: \u0001\u00ff",
  "NoColon",
] as const;

/** Returns the bytes of a few pipelined requests. Some are valid, others are arbitrarily wrong. */
export function drawRequests(rng: Rng): Buffer {
  const count = 1 + below(rng, 3);
  let bytes = Buffer.concat(Array.from({ length: count }, () => Buffer.from(drawRequest(rng), "latin1")));
  for (let times = below(rng, 3); times > 0; times--)
    bytes = Buffer.from(mutated(rng, bytes, "\r\n :;,\t\u0000\u007f0aG/"));
  return bytes;
}

function drawRequest(rng: Rng): string {
  const method = pick(rng, [
    "GET",
    "GET",
    "POST",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "CONNECT",
    "BREW",
  ]);
  const version = pick(rng, ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", ""]);
  const drawn = Array.from({ length: below(rng, 4) }, () => pick(rng, headers));
  const [bodyHeaders, sent] = drawBody(rng);
  return [
    `${method} ${pick(rng, targets)} ${version}`,
    "Host: localhost",
    ...drawn,
    ...bodyHeaders,
    "",
    sent,
  ].join("\r\n");
}

function drawBody(rng: Rng): [headers: string[], sent: string] {
  const dice = rng.next();
  const bytes = Buffer.from(body).toString("latin1");
  if (dice < 0.3) return [[], ""];
  if (dice < 0.5) return [[`Content-Length: ${bytes.length}`, "Content-Type: application/json"], bytes];
  if (dice < 0.6) return [[`Content-Length: ${below(rng, 2 * bytes.length)}`], bytes];
  if (dice < 0.7) return [[`Content-Length: ${pick(rng, lengths)}`], bytes];
  const encoding = chance(rng, 0.7) ? "chunked" : pick(rng, encodings);
  const both = chance(rng, 0.1) ? [`Content-Length: ${bytes.length}`] : [];
  return [[`Transfer-Encoding: ${encoding}`, "Content-Type: application/json", ...both], chunked(rng, bytes)];
}

function chunked(rng: Rng, bytes: string): string {
  const at = below(rng, bytes.length);
  const parts = [bytes.slice(0, at), bytes.slice(at)].filter((part) => part !== "");
  const chunks = parts.map((part) => {
    const size = chance(rng, 0.9) ? part.length.toString(16) : pick(rng, chunkSizes);
    return `${size}\r\n${part}\r\n`;
  });
  const trailer = chance(rng, 0.3) ? "X-Trailer: a\r\nContent-Length: 5\r\n" : "";
  return `${chunks.join("")}${chance(rng, 0.9) ? "0" : pick(rng, chunkSizes)}\r\n${trailer}\r\n`;
}

/** Returns an HTTP/2 connection preface and frames of any type, flags, stream and length. */
export function drawFrames(rng: Rng): Buffer {
  const frames = Array.from({ length: below(rng, 8) }, () => {
    const payload = Buffer.from(Array.from({ length: below(rng, 40) }, () => below(rng, 256)));
    const head = Buffer.alloc(9);
    head.writeUIntBE(chance(rng, 0.9) ? payload.length : below(rng, 2 ** 24), 0, 3);
    head.writeUInt8(chance(rng, 0.9) ? below(rng, 10) : below(rng, 256), 3);
    head.writeUInt8(below(rng, 256), 4);
    head.writeUInt32BE(pick(rng, [0, 1, 3, 2 ** 31 - 1, 2 ** 32 - 1]), 5);
    return Buffer.concat([head, payload]);
  });
  return Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), emptySettings, ...frames]);
}

const emptySettings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
