import { startCluster } from "trimtab/testing";
import { chanceFrom } from "./chance.ts";
import { faults } from "./faults.ts";

/** A server with faults, in a separate process. It prints its URL, and exits with its parent. */
const cluster = await startCluster({ listen: true, faults, rng: chanceFrom(Number(process.argv[2])) });
process.send?.(cluster.kubeconfig);
process.once("disconnect", () => void cluster.close());
