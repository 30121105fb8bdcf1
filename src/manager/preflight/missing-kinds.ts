import { type AnyKind, apiVersionOf, isDiscovered } from "../../api/index.ts";
import { asError, Backoff, type Clock, type Logger, type Rng, sleep } from "../../base/index.ts";
import {
  type Client,
  type Discovery,
  isForbidden,
  resolveKind,
  type ServedKind,
  UnknownKindError,
} from "../../client/index.ts";
import type { KnownNeed, Need, PreflightContext } from "./needs.ts";

export interface NeededKinds {
  /** Needs whose resource name is known, even if the kind is not installed: permissions can be checked before. */
  readonly known: readonly KnownNeed[];
  /** Missing or unsuitable kinds. Empty if discovery is forbidden. */
  readonly problems: readonly string[];
}

/**
 * Checks which kinds the server serves. It retries missing kinds for two seconds, because a kind that was just
 * installed takes a moment to appear in discovery.
 */
export async function neededKinds(needs: readonly Need[], context: PreflightContext): Promise<NeededKinds> {
  const { clock, signal, missingKinds } = context;
  const sorted = (discovery: Discovery | undefined): NeededKinds =>
    sortedNeeds(needs, discovery, missingKinds);
  const untilMs = clock.monotonic() + settleMs;
  let found = sorted(await discovered(context));
  while (found.problems.length > 0 && clock.monotonic() < untilMs) {
    try {
      await sleep(againMs, { clock, signal });
      found = sorted(await discovered(context));
    } catch {
      return found; // no time for a retry
    }
  }
  return found;
}

const settleMs = 2000;
const againMs = 500;

/** Returns the served kinds; `undefined` if discovery is forbidden. */
async function discovered({ client, signal, log }: PreflightContext): Promise<Discovery | undefined> {
  try {
    return await client.discover({ signal });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    log.warn("cannot check which kinds the server has", { error: error.message });
    return undefined;
  }
}

function sortedNeeds(
  needs: readonly Need[],
  discovery: Discovery | undefined,
  missingKinds: PreflightContext["missingKinds"],
): NeededKinds {
  const known: KnownNeed[] = [];
  const problems = new Set<string>();
  for (const need of needs) {
    const served = discovery?.kinds.find((each) => sameKind(each.kind, need.kind));
    const absent = discovery && missingKinds === "fail" && missing(need, discovery, needs);
    const problem = served ? notOffered(need, served) : absent;
    const kind = served?.kind ?? need.kind;
    if (problem) problems.add(problem);
    if (isDiscovered(kind)) known.push({ ...need, kind });
  }
  return { known, problems: [...problems] };
}

function sameKind(a: AnyKind, b: AnyKind): boolean {
  return a.kind === b.kind && a.group === b.group && a.version === b.version;
}

/** Returns a problem if a served kind lacks a verb or subresource. */
function notOffered({ kind, verbs, subresource, why }: Need, served: ServedKind): string | undefined {
  const name = nameOf(kind);
  if (subresource !== undefined) {
    if (served.subresources.includes(subresource)) return undefined;
    return (
      `expected ${name} to have the subresource ${subresource} (${why}), got a kind without it; ` +
      "a CustomResourceDefinition turns it on under spec.versions[].subresources"
    );
  }
  const lacking = verbs.filter((verb) => !served.verbs.includes(verb));
  if (lacking.length === 0) return undefined;
  const offered = served.verbs.join(", ") || "nothing";
  return `expected ${name} to offer ${lacking.join(", ")} (${why}), got a kind that offers ${offered}`;
}

/** Returns a problem if a kind is missing. Groups of unavailable aggregated API servers are not checked. */
function missing({ kind, optional }: Need, discovery: Discovery, needs: readonly Need[]): string | undefined {
  const { group } = kind;
  if (optional || discovery.unavailable.includes(apiVersionOf(kind))) return undefined;
  const whys = new Set(needs.filter((need) => sameKind(need.kind, kind)).map(({ why }) => why));
  const expected = `expected the server to have ${nameOf(kind)} (${[...whys].join("; ")})`;
  const others = discovery.kinds.filter((each) => each.kind.kind === kind.kind && each.kind.group === group);
  if (others.length > 0) {
    const versions = others.map((each) => each.kind.version).join(", ");
    return `${expected}, got it only in version ${versions}; use that version, or install one that serves ${kind.version}`;
  }
  if (!group.includes(".")) {
    return `${expected}, got no such kind; this command lists what it has:\n    kubectl api-resources`;
  }
  return `${expected}, got no such kind; install it first:\n    ${installCommand(kind)}${printed(kind)}`;
}

/** Returns a hint how to print the CRD of a kind that is declared in code. */
function printed(kind: AnyKind): string {
  if (!("toCustomResourceDefinition" in kind)) return "";
  return `\n  JSON.stringify(${kind.kind}.toCustomResourceDefinition()) prints the content of that file`;
}

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

function fixFor(missing: readonly RequiredKind[]): string {
  const commands = missing.map(({ kind }) => {
    return kind.group.includes(".") ? installCommand(kind) : "kubectl api-resources";
  });
  return [...new Set(commands)].join("; ");
}

function installCommand(kind: AnyKind): string {
  const { group } = kind;
  const definition = isDiscovered(kind) ? `${kind.plural}.${group}` : `of ${kind.kind} in ${group}`;
  return `kubectl apply -f <the file of CustomResourceDefinition ${definition}>`;
}

/** Returns the name of a kind, which is the same for full objects and metadata only. */
function nameOf(kind: AnyKind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}
