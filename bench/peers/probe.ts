import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";

/** What the harness gave on the command line, `--name=value`, by name. */
export function givenArguments(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    process.argv.slice(2).map((text) => /^--([^=]+)=(.*)$/s.exec(text)?.slice(1) ?? [text, ""]),
  );
}

/**
 * Has the stub send so many events to the watch that is open, or else to the next, and then end it where that is wanted.
 *
 * Not by `fetch`: what that loads and compiles when it is first called takes 30 MB, which would be measured with the peer.
 */
export async function askForStream(events: number, { end = false } = {}): Promise<void> {
  const { plain, resource, "per-second": perSecond = "0" } = givenArguments();
  const order = `resource=${resource}&events=${events}&rate=${perSecond}&when=watched&end=${end}`;
  const [answer] = (await once(get(`${plain}/ctl/stream?${order}`), "response")) as [IncomingMessage];
  await once(answer.resume(), "end");
}

/** Hands a figure to the harness. */
export function printFigure(figure: string, value: number): void {
  process.stdout.write(`${JSON.stringify({ figure, value })}\n`);
}

/** Begins to measure; the function says what it took from then to its call, in all threads of the process. */
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
 * The most memory the process ever had, in MB.
 *
 * Linux counts what the parent had at the fork into `resourceUsage().maxRSS`, so the process's own mark is read where there is one.
 */
export function peakRssMb(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
  } catch {
    // Not Linux: the coarser figure is the best there is.
    return process.resourceUsage().maxRSS / 1024;
  }
}

export interface RepeatOptions {
  readonly times: number;
  /** How many at once. @default 1 */
  readonly inFlight?: number | undefined;
  /** Nothing is begun after this long, so that a slow peer does not take minutes. @default no limit */
  readonly maxSeconds?: number | undefined;
}

/** Does something again and again, and says how often. `act` is given 0, 1, 2 and so on. */
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
