/**
 * A process that contends for the lease "crown". While it leads it creates ConfigMaps that contain its name. It ignores
 * the end of its leadership and writes until a write is refused. Then it contends again under a new name, until
 * SIGTERM. It reports on standard output in lines of JSON: see `ContenderReport`.
 *
 * Arguments: kubeconfig, the server's address, name.
 */
import { ConfigMap } from "../api/types/core/v1.ts";
import { realClock, shutdownSignal, sleep } from "../base/index.ts";
import { type Client, connect } from "../client/index.ts";
import { Elector, fenced, LeadershipLostError, NotLeaderError } from "./index.ts";

/** One line of a contender's output. */
export interface ContenderReport {
  /** In this order: it leads, its first write succeeded, its last write was refused, its run ended. */
  readonly event: "leading" | "wrote" | "refused" | "lost" | "done";
  /** The contender's name for this term of leadership. */
  readonly term: string;
}

const [kubeconfig, server, name] = process.argv.slice(2);
const signal = shutdownSignal();
const report = (event: ContenderReport["event"], term: string): void =>
  console.log(JSON.stringify({ event, term }));

await using client = await connect({ kubeconfig, server });
for (let times = 1; !signal.aborted; times++) await contend(`${name}-${times}`);

async function contend(term: string): Promise<void> {
  const elector = new Elector({
    client,
    name: "crown",
    identity: term,
    leaseDurationMs: 8_000,
    renewDeadlineMs: 4_000,
    retryPeriodMs: 1_000,
  });
  const writer = client.through((transport) => fenced(transport, elector));
  try {
    await elector.run(() => writeOn(term, writer), { signal });
    report("done", term);
  } catch (error) {
    if (!(error instanceof LeadershipLostError)) throw error;
    report("lost", term);
  }
}

async function writeOn(term: string, writer: Client): Promise<void> {
  report("leading", term);
  for (let writes = 0; !signal.aborted; ) {
    try {
      await writer.create(ConfigMap, { metadata: { generateName: "write-" }, data: { by: term } });
      if (writes++ === 0) report("wrote", term);
    } catch (error) {
      if (error instanceof NotLeaderError) return report("refused", term);
      // otherwise the connection to the server is cut, perhaps for a short time
    }
    await sleep(100, { clock: realClock });
  }
}
