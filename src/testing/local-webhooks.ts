import { ConfigMap } from "../api/types/core/v1.ts";
import { type Clock, deadline, type Rng, sleep, uuid } from "../base/index.ts";
import { createAuthority } from "../certificates/index.ts";
import { ApiError, type Client } from "../client/index.ts";
import type { ManagerOptions } from "../manager/index.ts";
import { rawWebhook, type Webhook } from "../webhook/index.ts";

/** The webhooks of a manager on a cluster of this machine. */
export interface LocalWebhooks {
  /** The options of the manager, with a webhook server on loopback unless they have one of their own. */
  readonly options: ManagerOptions;
  /** Resolves when the API server calls the webhooks. Server-side caches of a real server take a moment. */
  effective(client: Client, clock: Clock): Promise<void>;
}

/**
 * Serves the webhooks of a manager on loopback with a certificate of its own, and registers them until the manager
 * ends. A probe in each configuration shows when the API server uses it.
 */
export function localWebhooks(options: ManagerOptions, rng: Rng): LocalWebhooks {
  const { webhooks = [], webhookServer } = options;
  if (webhooks.length === 0 || webhookServer) return { options, effective: async () => {} };
  const id = uuid(rng);
  const types = new Set(
    webhooks.flatMap((each) => ("hooks" in each ? each.hooks.map(({ type }) => type) : [])),
  );
  const authority = createAuthority("trimtab-test");
  const server = {
    host: "127.0.0.1",
    port: 0,
    url: "https://127.0.0.1:0",
    name: `trimtab-test-${id}`,
    certificates: { ...authority.server(["127.0.0.1"]), ca: authority.cert },
    registration: "temporary",
  } as const;
  const probes = Array.from(types, (type) => probe(type, id));
  return {
    options: { ...options, webhooks: [...webhooks, ...probes], webhookServer: server },
    async effective(client, clock) {
      using limit = deadline(effectiveWithinMs, "waiting for the API server to call the webhooks", { clock });
      const { signal } = limit;
      for (const type of types) {
        while (!(await isRefused(client, `${type}-${id}`, signal))) await sleep(pollMs, { clock, signal });
      }
    },
  };
}

const label = "trimtab.dev/probe";
const refusal = "the probe is refused";
const effectiveWithinMs = 30_000;
const pollMs = 20;

/** Refuses ConfigMaps with a label that no other object has. */
function probe(type: "mutating" | "validating", id: string): Webhook {
  return rawWebhook({
    type,
    name: `probe.${type}.trimtab.dev`,
    rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
    objectSelector: { matchLabels: { [label]: `${type}-${id}` } },
    admit: () => ({ allowed: false, message: refusal }),
  });
}

/** Returns true if the API server has called the probe. The ConfigMap is never stored. */
async function isRefused(client: Client, value: string, signal: AbortSignal): Promise<boolean> {
  const metadata = { generateName: "probe-", namespace: "default", labels: { [label]: value } };
  try {
    await client.create(ConfigMap, { metadata }, { dryRun: true, signal });
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.message.includes(refusal)) return true;
    throw error;
  }
}
