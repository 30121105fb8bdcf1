import { inspect } from "node:util";
import { stringify } from "yaml";
import { below, type Rng } from "../src/base/index.ts";
import { createAuthority } from "../src/certificates/index.ts";
import { configFrom } from "../src/transport/config/find-config.ts";
import { type Kubeconfig, parseKubeconfig } from "../src/transport/config/kubeconfig.ts";
import { ConfigError } from "../src/transport/index.ts";
import { chance, pick } from "./draw.ts";
import type { FuzzTarget } from "./target.ts";

/** Valid kubeconfigs with wrong values and wrong bytes: a `ConfigError` with the location, or a configuration. */
export function kubeconfigTarget(parse: typeof parseKubeconfig = parseKubeconfig): FuzzTarget {
  return {
    name: "kubeconfig",
    summary: "mutated kubeconfigs: a clear error without secrets, or a configuration",
    async run(rng, budget) {
      const counts = { kubeconfigs: 0, loaded: 0, refused: 0 };
      for (; counts.kubeconfigs < 500 && !budget.spent; counts.kubeconfigs += 1) {
        const text = drawText(rng);
        if (await load(parse, text)) counts.loaded += 1;
        else counts.refused += 1;
      }
      return counts;
    },
  };
}

/** Secrets that no message may show, and the beginning of their base64. */
const secret = "sesame";
const encodedSecret = Buffer.from(secret).toString("base64").slice(0, 8);

const authority = createAuthority("fuzz");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const users: readonly [object, ...object[]] = [
  { token: `${secret}-token` },
  { username: "jane", password: `${secret}-password` },
  { "client-certificate-data": base64(authority.cert), "client-key-data": base64(`${secret}-key`) },
  {
    token: `${secret}-token`,
    as: "boss",
    "as-groups": ["admins"],
    "as-user-extra": { reason: ["tests"] },
  },
  {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "login",
      args: ["--cluster", "near"],
      env: [{ name: "PASSWORD", value: `${secret}-value` }],
      interactiveMode: "Never",
    },
  },
  { "auth-provider": { name: "gcp", config: { "access-token": `${secret}-token` } } },
];

function drawDocument(rng: Rng): object {
  const cluster = {
    server: pick(rng, ["https://10.0.0.1:6443", "http://localhost:8080", "https://near.example.dev/base"]),
    ...(chance(rng, 0.5) && { "certificate-authority-data": base64(authority.cert) }),
    ...(chance(rng, 0.2) && { "insecure-skip-tls-verify": true }),
    ...(chance(rng, 0.2) && { "tls-server-name": "near.example.dev" }),
    ...(chance(rng, 0.2) && { "proxy-url": `http://jane:${secret}-proxy@proxy:3128` }),
  };
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "near",
    clusters: [{ name: "near", cluster }],
    users: [{ name: "jane", user: pick(rng, users) }],
    contexts: [{ name: "near", context: { cluster: "near", user: "jane", namespace: "shop" } }],
  };
}

function drawText(rng: Rng): string {
  const document = drawDocument(rng);
  const value = chance(rng, 0.5) ? withWrongValue(rng, document) : document;
  const text = chance(rng, 0.3) ? JSON.stringify(value, null, below(rng, 3)) : stringify(value);
  return chance(rng, 0.6) ? withWrongBytes(rng, text) : text;
}

const wrongValues: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -1.5,
  "",
  "x",
  "\u0000",
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  "https://",
  "file:///etc",
  "::",
  "*x",
  "!!binary x",
];

/** Replaces, removes or repeats the value at a random place. */
function withWrongValue(rng: Rng, value: unknown): unknown {
  if (typeof value !== "object" || value === null || chance(rng, 0.15)) return pick(rng, wrongValues);
  const entries = Object.entries(value);
  const at = below(rng, entries.length);
  const [key = "", child] = entries[at] ?? [];
  const rest = entries.filter((_, index) => index !== at);
  const changed = chance(rng, 0.1) ? rest : [...rest, [key, withWrongValue(rng, child)]];
  if (Array.isArray(value)) return chance(rng, 0.2) ? [...value, ...value] : changed.map(([, each]) => each);
  return Object.fromEntries(changed);
}

const yamlAlphabet = ":-?#&*!|>'\"%@`{}[],~<= \n\t\u0001\ufeff";

/** Bytes are not copied within the text: that could move a secret to a place where values may be shown. */
function withWrongBytes(rng: Rng, text: string): string {
  let changed = text;
  for (let count = 1 + below(rng, 3); count > 0; count--) {
    const at = below(rng, changed.length + 1);
    const inserted = chance(rng, 0.7) ? yamlAlphabet.charAt(below(rng, yamlAlphabet.length)) : "";
    changed = changed.slice(0, at) + inserted + changed.slice(at + below(rng, 2));
  }
  return changed;
}

/** @returns whether the kubeconfig can be used */
async function load(parse: typeof parseKubeconfig, text: string): Promise<boolean> {
  try {
    const kubeconfig: Kubeconfig = await parse(text, { file: "/nowhere/kubeconfig", homeDir: "/home/jane" });
    const config = await configFrom(kubeconfig, { env: {} });
    checkShown(inspect(config, { depth: 10 }), text);
    return true;
  } catch (error) {
    if (!(error instanceof ConfigError))
      throw new Error(`expected a ConfigError for ${JSON.stringify(text)}, got ${inspect(error)}`, {
        cause: error,
      });
    checkShown(`${error.message}\n${inspect(error, { depth: 10 })}`, text);
    return false;
  }
}

function checkShown(shown: string, text: string): void {
  if (shown.includes(secret) || shown.includes(encodedSecret))
    throw new Error(`expected no secret to be shown for ${JSON.stringify(text)}, got ${shown}`);
}
