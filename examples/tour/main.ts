// A cluster in a minute: an API server in this process, our client on it, and then kubectl, until Ctrl-C.
import { parseArgs } from "node:util";
import { ApiError, ConfigError, ConnectionError, connect } from "trimtab/client";
import { startCluster } from "trimtab/testing";
import { setUpShop } from "./shop.ts";
import { tour } from "./tour.ts";

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: "string" }, once: { type: "boolean", default: false } },
});
const say = (line: string): void => console.log(line);

try {
  if (flags.kubeconfig === undefined) await onOwnServer();
  else await onYourCluster(flags.kubeconfig);
} catch (error) {
  console.error(advice(error));
  process.exitCode = 1;
}

/** Over HTTPS, as any other program would. It stays for kubectl, unless `--once`. */
async function onOwnServer(): Promise<void> {
  await using cluster = await startCluster({ listen: true });
  await using client = await connect({ kubeconfig: cluster.kubeconfig });
  await tour(client, say);
  await setUpShop(client);
  if (!flags.once) await untilStopped(cluster.kubeconfig);
}

async function onYourCluster(kubeconfig: string): Promise<void> {
  await using cluster = await startCluster({ engine: "existing", kubeconfig });
  await tour(cluster.client, say);
}

/** The first Ctrl-C ends the server; so does SIGTERM, for who has no keyboard. */
async function untilStopped(kubeconfig: string): Promise<void> {
  say(`
The API server goes on. In another terminal:

  export KUBECONFIG=${kubeconfig}

  kubectl get deployments,services,configmaps
  kubectl scale deployment shop --replicas 5
  kubectl get configmaps --watch          # and in a third: kubectl edit configmap menu
  kubectl explain deployment.spec.strategy

Ctrl-C ends it and leaves nothing; npm start -- --once ends by itself.`);
  await new Promise((resolve) => {
    process.once("SIGINT", resolve).once("SIGTERM", resolve);
    // SIGTERM to npm ends the shell it runs us in, and that does not pass it on.
    const { ppid } = process;
    setInterval(() => process.ppid === ppid || resolve("left alone"), 1_000).unref();
  });
}

/** One line for what a person can mend; anything else is a bug and keeps its stack. */
function advice(error: unknown): unknown {
  const known = [ConfigError, ConnectionError, ApiError].some((type) => error instanceof type);
  return known && error instanceof Error ? error.message : error;
}
