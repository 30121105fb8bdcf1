// The client in a minute, told line by line, on an API server in this process or on the cluster you name.
import { parseArgs } from "node:util";
import { ApiError, ConfigError, ConnectionError } from "trimtab/client";
import { startCluster } from "trimtab/testing";
import { tour } from "./tour.ts";

const { values: flags } = parseArgs({ options: { kubeconfig: { type: "string" } } });

try {
  const { kubeconfig } = flags;
  await using cluster = await startCluster(
    kubeconfig === undefined ? { engine: "embedded" } : { engine: "existing", kubeconfig },
  );
  await tour(cluster.client, (line) => console.log(line));
} catch (error) {
  console.error(advice(error));
  process.exitCode = 1;
}

/** One line for what a person can mend; anything else is a bug and keeps its stack. */
function advice(error: unknown): unknown {
  const known = [ConfigError, ConnectionError, ApiError].some((type) => error instanceof type);
  return known && error instanceof Error ? error.message : error;
}
