/**
 * A process that contends for the lease "crown", and while it leads makes one ConfigMap after the other, which say by
 * whom. It does not heed the end of its leadership: it goes on until a write is refused. Then it contends anew, under a
 * new name, until it is sent SIGTERM. What happens is told in lines of JSON: see `Told`.
 *
 * Arguments: kubeconfig, the server's address, name.
 */
import { ConfigMap } from "../api/types/core/v1.ts";
import { realClock, shutdownSignal, sleep } from "../base/index.ts";
import { type Client, connect } from "../client/index.ts";
import { Elector, fenced, LeadershipLostError, NotLeaderError } from "./index.ts";

/** One line of what a contender tells. */
export interface Told {
  /** In this order: that it leads, that its first write was accepted, that its last was not, how its run ended. */
  readonly event: "leading" | "wrote" | "refused" | "lost" | "done";
  /** Its name for this time of leading. */
  readonly term: string;
}

const [kubeconfig, server, name] = process.argv.slice(2);
const signal = shutdownSignal();
const tell = (event: Told["event"], term: string): void => console.log(JSON.stringify({ event, term }));

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
    tell("done", term);
  } catch (error) {
    if (!(error instanceof LeadershipLostError)) throw error;
    tell("lost", term);
  }
}

async function writeOn(term: string, writer: Client): Promise<void> {
  tell("leading", term);
  for (let writes = 0; !signal.aborted; ) {
    try {
      await writer.create(ConfigMap, { metadata: { generateName: "write-" }, data: { by: term } });
      if (writes++ === 0) tell("wrote", term);
    } catch (error) {
      if (error instanceof NotLeaderError) return tell("refused", term);
      // else the way to the server is cut, perhaps not for long
    }
    await sleep(100, { clock: realClock });
  }
}
