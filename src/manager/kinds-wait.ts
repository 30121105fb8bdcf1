import { type AnyKind, apiVersionOf, isDiscovered } from "../api/index.ts";
import { asError, Backoff, type Clock, type Logger, type Rng, sleep } from "../base/index.ts";
import { type Client, resolveKind, UnknownKindError } from "../client/index.ts";

/** A kind, and where it is asked for. */
export interface WantedKind {
  readonly kind: AnyKind;
  readonly client: Client;
}

export interface KindsWaitOptions {
  readonly kinds: readonly WantedKind[];
  readonly signal: AbortSignal;
  /** Told which are missing, each time that others are. */
  readonly onMissing: (names: readonly string[]) => void;
  readonly log: Logger;
  readonly clock: Clock;
  readonly rng: Rng;
}

/**
 * Resolves when the server has all of these kinds. It asks again and again, from a second to ten apart: who may not look at
 * CustomResourceDefinitions may still ask which kinds there are.
 */
export async function kindsAreThere(options: KindsWaitOptions): Promise<void> {
  const { kinds, signal, log, clock, rng } = options;
  const backoff = new Backoff({ initialMs: 1000, maxMs: 10_000, jitter: 0.2, clock, rng });
  let told = "";
  for (;;) {
    const missing = await whichAreMissing(kinds, { signal, log });
    if (missing.length === 0) break;
    const names = missing.map(({ kind }) => nameOf(kind));
    if (told !== names.join()) {
      told = names.join();
      options.onMissing(names);
      log.warn("waiting for kinds that the server does not have", { kinds: names, mend: mendOf(missing) });
    }
    await sleep(backoff.next(), { clock, signal });
  }
  if (told !== "") log.info("the kinds that were waited for are there");
}

/** A server that cannot be asked has them, for all we know: who lists them is told more. */
export async function whichAreMissing(
  kinds: readonly WantedKind[],
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<WantedKind[]> {
  const missing = await Promise.all(
    kinds.map(async ({ kind, client }) => {
      try {
        await resolveKind(client.transport, kind, signal); // not `resolve`, which remembers
        return false;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof UnknownKindError) return true;
        log.debug("cannot look whether a kind is there", {
          kind: nameOf(kind),
          error: asError(error).message,
        });
        return false;
      }
    }),
  );
  return kinds.filter((_, index) => missing[index]);
}

function nameOf(kind: AnyKind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}

function mendOf(missing: readonly WantedKind[]): string {
  const commands = missing.map(({ kind }) => {
    if (!kind.group.includes(".")) return "kubectl api-resources";
    const name = isDiscovered(kind) ? `${kind.plural}.${kind.group}` : `of ${kind.kind} in ${kind.group}`;
    return `kubectl apply -f <the file of CustomResourceDefinition ${name}>`;
  });
  return [...new Set(commands)].join("; ");
}
