import { type AnyKind, apiVersionOf, isDiscovered } from "../api/index.ts";
import { sleep } from "../base/index.ts";
import { type Discovery, isForbidden, type ServedKind } from "../client/index.ts";
import type { KnownNeed, Need, PreflightContext } from "./need.ts";

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
  const definition = isDiscovered(kind) ? `${kind.plural}.${group}` : `of ${kind.kind} in ${group}`;
  return (
    `${expected}, got no such kind; install it first:\n` +
    `    kubectl apply -f <the file of CustomResourceDefinition ${definition}>${printed(kind)}`
  );
}

/** Returns a hint how to print the CRD of a kind that is declared in code. */
function printed(kind: AnyKind): string {
  if (!("toCustomResourceDefinition" in kind)) return "";
  return `\n  JSON.stringify(${kind.kind}.toCustomResourceDefinition()) prints the content of that file`;
}

/** Returns the name of a kind, which is the same for full objects and metadata only. */
function nameOf(kind: AnyKind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}
