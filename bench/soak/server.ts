import { startCluster } from "trimtab/testing";
import { chanceFrom } from "./chance.ts";
import { faults } from "./faults.ts";

/** A server on which things go wrong, in a process of its own: tells where it is, and ends with who started it. */
const cluster = await startCluster({ listen: true, faults, rng: chanceFrom(Number(process.argv[2])) });
process.send?.(cluster.kubeconfig);
process.once("disconnect", () => void cluster.close());
