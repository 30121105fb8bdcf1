import type { Registry } from "prom-client";

type PromClient = typeof import("prom-client");

/**
 * Returns prom-client's default metrics of this process in the text format: processor time, memory, file descriptors,
 * event loop and garbage collection. Metrics that `except` has are left out, because the caller prints them.
 *
 * Collecting starts with the first call. There is one collection for each text format in a process, because each
 * observes the garbage collector for the life of the process.
 */
export async function processMetricsText(client: PromClient, except: Registry): Promise<string> {
  const registry = collections.get(except.contentType) ?? collect(client, except);
  collections.set(except.contentType, registry);
  const families = (await registry.metrics()).replace(/# EOF\n$/, "").split(/^(?=# HELP )/m);
  return families
    .map((family) => family.trim())
    .filter((family) => family !== "" && !isIn(except, family))
    .map((family) => `${family}\n`)
    .join("");
}

/** Returns true if the registry has this metric. The OpenMetrics format prints a counter without its `_total`. */
function isIn(registry: Registry, family: string): boolean {
  const [, name = ""] = /^# HELP (\S+)/.exec(family) ?? [];
  return [name, `${name}_total`].some((each) => registry.getSingleMetric(each) !== undefined);
}

const collections = new Map<string, Registry>();

function collect(client: PromClient, { contentType }: Registry): Registry {
  const registry = new client.Registry();
  registry.setContentType(contentType);
  client.collectDefaultMetrics({ register: registry });
  return registry;
}
