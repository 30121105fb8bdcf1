import { startCluster } from "trimtab/testing";
import { givenArguments } from "../probe.ts";
import { startedBy } from "./processes.ts";

/**
 * A server in a process of its own, which lives until its input ends: `--engine=embedded`, or `binaries` for a real one.
 *
 * It prints where it is and which processes do its work.
 */
const real = givenArguments().engine === "binaries";
const cluster = await startCluster(real ? { engine: "binaries" } : { engine: "embedded", listen: true });
const pids = real ? startedBy(process.pid, ["kube-apiserver", "etcd"]) : [process.pid];
process.stdout.write(`${JSON.stringify({ kubeconfig: cluster.kubeconfig, pids })}\n`);
await new Promise((resolve) => process.stdin.resume().once("end", resolve));
await cluster.close();
process.exit(0);
