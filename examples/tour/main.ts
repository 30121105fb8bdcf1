// The client in a minute, told line by line, on a control plane of its own or on the cluster you name.
import { parseArgs } from "node:util";
import { ApiError, ConfigError, ConnectionError } from "trimtab/client";
import { type Cluster, MissingBinariesError, startCluster } from "trimtab/testing";
import { tour } from "./tour.ts";

const { values: flags } = parseArgs({ options: { kubeconfig: { type: "string" } } });

try {
  await using cluster = await find(flags.kubeconfig);
  await tour(cluster.client, (line) => console.log(line));
} catch (error) {
  console.error(advice(error));
  process.exitCode = 1;
}

function find(kubeconfig: string | undefined): Promise<Cluster> {
  if (kubeconfig !== undefined) return startCluster({ engine: "existing", kubeconfig });
  console.log("starting etcd and kube-apiserver");
  return startCluster({ engine: "binaries" });
}

/** One line for what a person can mend; anything else is a bug and keeps its stack. */
function advice(error: unknown): unknown {
  if (error instanceof MissingBinariesError) {
    return `${error.message}\nOr name a cluster of yours: npm start -- --kubeconfig FILE`;
  }
  const known = [ConfigError, ConnectionError, ApiError].some((type) => error instanceof type);
  return known && error instanceof Error ? error.message : error;
}
