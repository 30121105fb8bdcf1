import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { below, type Rng } from "../src/base/index.ts";
import {
  type Contending,
  type CurrentLeader,
  Processes,
  termsWritten,
} from "../src/election/processes.fixture.ts";
import { startCluster } from "../src/testing/index.ts";
import { loadConfig } from "../src/transport/index.ts";
import { pick } from "./draw.ts";
import type { FuzzTarget } from "./target.ts";

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const program = fileURLToPath(new URL("../src/election/contender-main.fixture.ts", import.meta.url));

/** How long a leader is stopped or cut off, relative to the lease duration of 8 s: shorter, about equal, longer. */
const disturbedMs = [2_000, 5_000, 7_500, 8_500, 12_000] as const;

/** Three processes with one lease. Leaders are stopped, cut off and killed, and their writes must never interleave. */
export const electionProcessesTarget: FuzzTarget = {
  name: "election-processes",
  summary: "three processes that contend for a lease, under SIGSTOP, SIGKILL and cut connections",
  slow: true,
  async run(rng, budget) {
    await using cluster = await startCluster({ listen: true });
    const { kubeconfig } = cluster;
    const { server } = await loadConfig({ kubeconfig });
    await using processes = new Processes(server);
    const start = (name: string): Promise<void> =>
      processes.start((address) => [
        process.execPath,
        "--import",
        loader,
        program,
        kubeconfig,
        address,
        name,
      ]);
    for (const name of ["a", "b", "c"]) await start(name);
    let disturbances = 0;
    for (; disturbances < 4 && !(disturbances > 0 && budget.spent); disturbances++) {
      const leader = await processes.until(() => processes.leader);
      await delay(below(rng, 1500));
      await disturb(rng, leader, () => start(`d${disturbances}`));
    }
    await processes.until(() => processes.leader);
    await processes.close();
    const turns = await termsWritten(cluster.client);
    if (new Set(turns).size < turns.length)
      throw new Error(`expected no two terms to interleave writes, got ${turns.join(", ")}`);
    return { disturbances, terms: turns.length };
  },
};

/** Stops, cuts off or kills the leader. A process that is killed is replaced. */
async function disturb(rng: Rng, { from }: CurrentLeader, replace: () => Promise<void>): Promise<void> {
  const manner = pick(rng, ["stop", "stop", "cut", "cut", "kill"]);
  const forMs = pick(rng, disturbedMs);
  from.undisturbed = false;
  if (manner === "kill") {
    from.signal("SIGKILL");
    return replace();
  }
  await disturbFor(from, manner, forMs);
  from.undisturbed = true;
}

async function disturbFor(from: Contending, manner: "stop" | "cut", forMs: number): Promise<void> {
  if (manner === "stop") from.signal("SIGSTOP");
  else from.cable.cut();
  await delay(forMs);
  if (manner === "stop") from.signal("SIGCONT");
  else from.cable.restore();
}
