import type { Kind } from "../api/index.ts";
import { SelfSubjectReview } from "../api/types/authentication/v1.ts";
import { SelfSubjectAccessReview } from "../api/types/authorization/v1.ts";
import { asError, TimeoutError } from "../base/index.ts";
import { type KnownNeed, type Looking, namespacesOf } from "./need.ts";

/** Something that may not be done. */
export interface MissingRight {
  /** With the rule that would allow it. */
  readonly problem: string;
  /** Whether the work goes on without. */
  readonly optional: boolean;
}

/** What may not be done. All is asked at once. */
export async function missingRights(needs: readonly KnownNeed[], looking: Looking): Promise<MissingRight[]> {
  const reviews = new Reviews(looking);
  const lacks = (await Promise.all(needs.map((need) => lacksOf(need, reviews)))).flat();
  reviews.tellOfFailure();
  if (lacks.length === 0) return [];
  const user = await whoAmI(looking);
  return combined(lacks).map((lack) => ({ problem: problemOf(lack, user), optional: lack.optional }));
}

/** Verbs that may not be used on a resource, in some namespaces. */
interface Lack {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** None: everywhere. */
  readonly namespaces: readonly string[];
  readonly whys: readonly string[];
  readonly optional: boolean;
}

async function lacksOf(need: KnownNeed, reviews: Reviews): Promise<Lack[]> {
  const { kind, subresource, why, optional = false } = need;
  const { group, plural } = kind;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const named = namespacesOf(need);
  const places = named.length > 0 ? named : [undefined];
  const lacks = places.map(async (namespace): Promise<Lack> => {
    const missing = await missingVerbs(need, { kind, namespace, reviews });
    const fallsBack = need.fallback && missing.includes("create");
    const isMet =
      fallsBack && (await missingVerbs(need, { kind: need.fallback, namespace, reviews })).length === 0;
    return {
      group,
      resource,
      verbs: isMet ? [] : missing,
      namespaces: namespace === undefined ? [] : [namespace],
      whys: [why],
      optional,
    };
  });
  return (await Promise.all(lacks)).filter((lack) => lack.verbs.length > 0);
}

/** Returns the verbs of a need that are not allowed for this kind in this namespace. */
async function missingVerbs(
  { verbs, subresource, name }: KnownNeed,
  { kind, namespace, reviews }: Place,
): Promise<string[]> {
  const { group, version, plural } = kind;
  const asked = { group, version, resource: plural, subresource, namespace };
  const nameFor = (verb: string): string | undefined => (verb === "create" ? undefined : name); // servers ask so
  const allowed = await Promise.all(
    verbs.map((verb) => reviews.allowed({ ...asked, verb, name: nameFor(verb) })),
  );
  return verbs.filter((_, index) => !allowed[index]);
}

interface Place {
  readonly kind: Kind;
  /** All namespaces if undefined. */
  readonly namespace: string | undefined;
  readonly reviews: Reviews;
}

interface Right {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** Asks the server what this user may do, each thing once. */
class Reviews {
  readonly #looking: Looking;
  readonly #answers = new Map<string, Promise<boolean>>();
  /** Why a question has no answer; the first of many. */
  #failure: Error | undefined;

  constructor(looking: Looking) {
    this.#looking = looking;
  }

  /** What cannot be found out counts as allowed: the server says no when it is done. */
  allowed(right: Right): Promise<boolean> {
    const key = JSON.stringify(right);
    const answer = this.#answers.get(key) ?? this.#ask(right);
    this.#answers.set(key, answer);
    return answer;
  }

  /** Nothing has failed where it was told to end. */
  tellOfFailure(): void {
    const { signal, log } = this.#looking;
    const told = signal.aborted && !(signal.reason instanceof TimeoutError);
    if (!this.#failure || told) return;
    log.warn("cannot check all rights beforehand", { error: this.#failure.message });
  }

  async #ask(resourceAttributes: Right): Promise<boolean> {
    const { client, signal } = this.#looking;
    try {
      const review = { metadata: {}, spec: { resourceAttributes } };
      const { status } = await client.create(SelfSubjectAccessReview, review, { signal });
      return status?.allowed ?? true;
    } catch (error) {
      this.#failure ??= asError(error);
      return true;
    }
  }
}

/** The name that rights have to be bound to, where the server tells. */
async function whoAmI({ client, signal }: Looking): Promise<string> {
  try {
    const { status } = await client.create(SelfSubjectReview, { metadata: {} }, { signal });
    return status?.userInfo?.username ?? "this user";
  } catch {
    return "this user"; // older servers cannot tell, and the rule is the same
  }
}

/** One for each resource and place, then one for all places that lack the same. */
function combined(lacks: readonly Lack[]): Lack[] {
  const placed = merged(lacks, ({ namespaces }) => namespaces);
  return merged(placed, ({ verbs, whys }) => [...verbs, ...whys]);
}

/** Those of one resource that have the same of something. */
function merged(lacks: readonly Lack[], same: (lack: Lack) => readonly string[]): Lack[] {
  const found = new Map<string, Lack>();
  for (const lack of lacks) {
    const key = JSON.stringify([lack.group, lack.resource, lack.optional, same(lack)]);
    const { verbs = [], namespaces = [], whys = [] } = found.get(key) ?? {};
    found.set(key, {
      ...lack,
      verbs: union(verbs, lack.verbs),
      namespaces: union(namespaces, lack.namespaces),
      whys: union(whys, lack.whys),
    });
  }
  return [...found.values()];
}

function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])];
}

function problemOf(lack: Lack, user: string): string {
  const { group, resource, verbs, namespaces, whys } = lack;
  const [plural = "", subresource] = resource.split("/");
  const name = [group === "" ? plural : `${plural}.${group}`, ...(subresource ? [subresource] : [])].join(
    "/",
  );
  const [where, role] = placeOf(namespaces);
  return (
    `expected ${user} to have the right to ${verbs.join(", ")} ${name} ${where} (${whys.join("; ")}), got none; ` +
    `${role} that is bound to it needs this rule:\n${ruleOf(lack)}`
  );
}

function placeOf(namespaces: readonly string[]): readonly [where: string, role: string] {
  if (namespaces.length === 0) return ["in the whole cluster", "a ClusterRole"];
  const list = namespaces.join(", ");
  return namespaces.length === 1
    ? [`in namespace ${list}`, `a Role of namespace ${list}`]
    : [`in namespaces ${list}`, "a Role of each of these namespaces"];
}

/** As it stands under `rules:` of a Role or ClusterRole. */
function ruleOf({ group, resource, verbs }: Pick<Lack, "group" | "resource" | "verbs">): string {
  const list = (values: readonly string[]): string =>
    `[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
  const fields = [`apiGroups: ${list([group])}`, `resources: ${list([resource])}`, `verbs: ${list(verbs)}`];
  return fields.map((field, index) => `    ${index === 0 ? "- " : "  "}${field}`).join("\n");
}
