import { startCluster } from "trimtab/testing";
import { givenArguments } from "../probe.ts";
import { startedBy } from "./processes.ts";

/**
 * A server in a separate process, which runs until its input ends: `--engine=embedded`, or `binaries` for
 * kube-apiserver.
 * It prints its URL and its process ids.
 */
const real = givenArguments().engine === "binaries";
const cluster = await startCluster(real ? { engine: "binaries" } : { engine: "embedded", listen: true });
const pids = real ? startedBy(process.pid, ["kube-apiserver", "etcd"]) : [process.pid];
process.stdout.write(`${JSON.stringify({ kubeconfig: cluster.kubeconfig, pids })}\n`);
await new Promise((resolve) => process.stdin.resume().once("end", resolve));
await cluster.close();
process.exit(0);
