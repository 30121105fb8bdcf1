/**
 * A user program: a manager with one controller that runs until SIGTERM. It prints one line per event, and "over" at
 * the end.
 *
 * Arguments: kubeconfig, and the behaviour of its reconcile: "writes", "waits" for its signal, or is "stuck" and
 * ignores it.
 */
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { loggerTo, shutdownSignal } from "../base/index.ts";
import { connect } from "../client/index.ts";
import { controller } from "../controller/index.ts";
import { manager } from "./index.ts";

const [kubeconfig, does] = process.argv.slice(2);
const signal = shutdownSignal();
console.log("started");

const maps = controller({
  name: "configmap",
  for: ConfigMap,
  async reconcile(key, context) {
    console.log(`reconciling ${key.name}`);
    if (does === "writes") await context.client.apply(Secret, { metadata: { ...key } });
    if (does === "stuck") await new Promise(() => {});
    if (does === "waits") {
      await new Promise<void>((end) => context.signal.addEventListener("abort", () => end(), { once: true }));
    }
  },
});

await using client = await connect({ kubeconfig });
const log = loggerTo(({ message }) => console.log(message));
try {
  const drainMs = does === "writes" ? undefined : 100; // a reconcile that ends by itself needs no short limit
  await manager({ controllers: [maps], client, log, drainMs }).run({ signal });
  console.log("over");
} catch (error) {
  console.log((error as Error).message); // a manager throws only errors
  process.exitCode = 1;
}
