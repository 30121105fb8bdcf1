import { type AnyKind, apiVersionOf, isDiscovered } from "../api/index.ts";
import { sleep } from "../base/index.ts";
import { type Discovery, isForbidden, type ServedKind } from "../client/index.ts";
import type { KnownNeed, Looking, Need } from "./need.ts";

export interface NeededKinds {
  /** Those whose place on a server is known, be it there or not: rights can be asked for before a kind is installed. */
  readonly known: readonly KnownNeed[];
  /** Which kinds are missing, or do not do. A server that cannot tell counts against none. */
  readonly problems: readonly string[];
}

/**
 * Which kinds the server has. One that is missing is looked for again for a while: what was just installed takes a
 * moment to be told of.
 */
export async function neededKinds(needs: readonly Need[], looking: Looking): Promise<NeededKinds> {
  const { clock, signal, missingKinds } = looking;
  const sorted = (discovery: Discovery | undefined): NeededKinds =>
    sortedNeeds(needs, discovery, missingKinds);
  const untilMs = clock.monotonic() + settleMs;
  let found = sorted(await discovered(looking));
  while (found.problems.length > 0 && clock.monotonic() < untilMs) {
    try {
      await sleep(againMs, { clock, signal });
      found = sorted(await discovered(looking));
    } catch {
      return found; // there is no more time to look again: what was found is told
    }
  }
  return found;
}

const settleMs = 2000;
const againMs = 500;

/** `undefined` where this user may not ask. */
async function discovered({ client, signal, log }: Looking): Promise<Discovery | undefined> {
  try {
    return await client.discover({ signal });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    log.warn("cannot check beforehand which kinds the server has", { error: error.message });
    return undefined;
  }
}

function sortedNeeds(
  needs: readonly Need[],
  discovery: Discovery | undefined,
  missingKinds: Looking["missingKinds"],
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

/** A kind may be there for other things than what it is needed for. */
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

/** A server that cannot ask the API behind it does not know. */
function missing({ kind, optional }: Need, discovery: Discovery, needs: readonly Need[]): string | undefined {
  const { group } = kind;
  if (optional || discovery.unavailable.includes(apiVersionOf(kind))) return undefined;
  const whys = new Set(needs.filter((need) => sameKind(need.kind, kind)).map(({ why }) => why));
  const expected = `expected the server to have ${nameOf(kind)} (${[...whys].join("; ")})`;
  const others = discovery.kinds.filter((each) => each.kind.kind === kind.kind && each.kind.group === group);
  if (others.length > 0) {
    const versions = others.map((each) => each.kind.version).join(", ");
    return `${expected}, got it in version ${versions} alone; use that, or install what serves ${kind.version}`;
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

/** Where a kind that was declared in code has that file from. */
function printed(kind: AnyKind): string {
  if (!("toCustomResourceDefinition" in kind)) return "";
  return `\n  JSON.stringify(${kind.kind}.toCustomResourceDefinition()) is what goes into that file`;
}

/** Whether all of its objects are read or their metadata alone: it is the same kind that is needed. */
function nameOf(kind: AnyKind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}
