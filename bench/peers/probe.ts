import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";

/** The arguments of the command line, `--name=value`, by name. */
export function givenArguments(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    process.argv.slice(2).map((text) => /^--([^=]+)=(.*)$/s.exec(text)?.slice(1) ?? [text, ""]),
  );
}

/**
 * Makes the stub send events to the open watch, or else to the next, and then close it if requested.
 * It does not use `fetch`, whose first call loads 30 MB, which would be measured with the peer.
 */
export async function askForStream(events: number, { end = false } = {}): Promise<void> {
  const { plain, resource, "per-second": perSecond = "0" } = givenArguments();
  const order = `resource=${resource}&events=${events}&rate=${perSecond}&when=watched&end=${end}`;
  const [answer] = (await once(get(`${plain}/ctl/stream?${order}`), "response")) as [IncomingMessage];
  await once(answer.resume(), "end");
}

/** Prints a figure for the harness. */
export function printFigure(figure: string, value: number): void {
  process.stdout.write(`${JSON.stringify({ figure, value })}\n`);
}

/** Starts a measurement. The returned function returns the cost up to its call, in all threads of the process. */
export function startMeter(): () => { readonly seconds: number; readonly cpuUs: number } {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  return () => {
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    return { seconds, cpuUs: user + system };
  };
}

/**
 * Returns the peak memory of the process in MB.
 * On Linux, `resourceUsage().maxRSS` includes the parent's memory at the fork, so the process's own high-water mark is
 * read if available.
 */
export function peakRssMb(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
  } catch {
    // Not on Linux: only the coarser figure is available.
    return process.resourceUsage().maxRSS / 1024;
  }
}

export interface RepeatOptions {
  readonly times: number;
  /** Number of concurrent calls. @default 1 */
  readonly inFlight?: number | undefined;
  /** No call is started after this time, so that a slow peer does not take minutes. @default no limit */
  readonly maxSeconds?: number | undefined;
}

/** Repeats an action, and returns the number of calls. `act` gets 0, 1, 2 and so on. */
export async function repeat(options: RepeatOptions, act: (index: number) => Promise<void>): Promise<number> {
  const { times, inFlight = 1, maxSeconds = Number.POSITIVE_INFINITY } = options;
  const end = performance.now() + maxSeconds * 1000;
  let next = 0;
  const worker = async () => {
    while (next < times && performance.now() < end) await act(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return next;
}
