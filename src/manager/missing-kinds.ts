import { type AnyKind, apiVersionOf, isDiscovered } from "../api/index.ts";
import { asError, Backoff, type Clock, type Logger, type Rng, sleep } from "../base/index.ts";
import { type Client, resolveKind, UnknownKindError } from "../client/index.ts";

/** A kind that a controller requires, and the client of its cluster. */
export interface RequiredKind {
  readonly kind: AnyKind;
  readonly client: Client;
}

export interface WaitForKindsOptions {
  readonly kinds: readonly RequiredKind[];
  readonly signal: AbortSignal;
  /** Called with the missing kinds whenever they change. */
  readonly onMissing: (names: readonly string[]) => void;
  readonly log: Logger;
  readonly clock: Clock;
  readonly rng: Rng;
}

/**
 * Resolves when the server serves all of these kinds. It polls discovery every 1 to 10 seconds, because users without
 * permission to watch CustomResourceDefinitions may still read discovery.
 */
export async function waitForKinds(options: WaitForKindsOptions): Promise<void> {
  const { kinds, signal, log, clock, rng } = options;
  const backoff = new Backoff({ initialMs: 1000, maxMs: 10_000, jitter: 0.2, clock, rng });
  let reported = "";
  for (;;) {
    const missing = await findMissingKinds(kinds, { signal, log });
    if (missing.length === 0) break;
    const names = missing.map(({ kind }) => nameOf(kind));
    if (reported !== names.join()) {
      reported = names.join();
      options.onMissing(names);
      log.warn("waiting for missing kinds", { kinds: names, fix: fixFor(missing) });
    }
    await sleep(backoff.next(), { clock, signal });
  }
  if (reported !== "") log.info("missing kinds are available");
}

/**
 * Returns the kinds that the server does not serve. A kind whose lookup fails is not missing: its list reports the
 * error.
 */
export async function findMissingKinds(
  kinds: readonly RequiredKind[],
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<RequiredKind[]> {
  const missing = await Promise.all(
    kinds.map(async ({ kind, client }) => {
      try {
        await resolveKind(client.transport, kind, signal); // not `resolve`, which caches
        return false;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof UnknownKindError) return true;
        log.debug("kind lookup failed", {
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

function fixFor(missing: readonly RequiredKind[]): string {
  const commands = missing.map(({ kind }) => {
    if (!kind.group.includes(".")) return "kubectl api-resources";
    const name = isDiscovered(kind) ? `${kind.plural}.${kind.group}` : `of ${kind.kind} in ${kind.group}`;
    return `kubectl apply -f <the file of CustomResourceDefinition ${name}>`;
  });
  return [...new Set(commands)].join("; ");
}
