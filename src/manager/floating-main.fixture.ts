/**
 * A program whose reconcile leaves a promise floating that rejects.
 *
 * Arguments: kubeconfig; which promise: a "write" or "read" of its client, its "own" error, the own error "late", after
 * the reconcile has ended, a "frozen" error, or one with a "cause"; and "stopping" if the program has received SIGTERM
 * before.
 */
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { realClock, shutdownSignal, silentLogger, sleep } from "../base/index.ts";
import { connect } from "../client/index.ts";
import { type Context, controller } from "../controller/index.ts";
import { manager } from "./index.ts";

const [kubeconfig, floating, stopping] = process.argv.slice(2);
const signal = shutdownSignal();

function reject(context: Context): void {
  const { client } = context;
  if (floating === "write") void client.update(Secret, { metadata: { name: "missing" } } as Secret);
  if (floating === "read") void client.list(Secret, { resourceVersion: "unknown" });
  if (floating === "own" || floating === "late") void Promise.reject(new Error("own"));
  if (floating === "frozen") void Promise.reject(Object.freeze(new Error("frozen")));
  if (floating === "cause") void Promise.reject(new Error("outer", { cause: new Error("inner") }));
}

const maps = controller({
  name: "configmap",
  for: ConfigMap,
  when: ({ metadata }) => metadata.name === "a",
  async reconcile(_, context) {
    if (stopping) process.kill(process.pid, "SIGTERM");
    if (stopping) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    if (floating === "late") return void realClock.timer(50, () => reject(context));
    reject(context);
    await sleep(60_000, { clock: realClock });
  },
});

await using client = await connect({ kubeconfig });
await manager({ controllers: [maps], client, log: silentLogger }).run({ signal });
