import type { Kind } from "../../api/index.ts";
import { SelfSubjectReview } from "../../api/types/authentication/v1.ts";
import { SelfSubjectAccessReview } from "../../api/types/authorization/v1.ts";
import { asError, TimeoutError } from "../../base/index.ts";
import { type KnownNeed, namespacesOf, type PreflightContext } from "./needs.ts";

/** A permission that the user does not have. */
export interface MissingPermission {
  /** A message with the RBAC rule that grants it. */
  readonly problem: string;
  /** True if the manager starts without it. */
  readonly optional: boolean;
}

/** Returns the missing permissions. It sends all reviews concurrently. */
export async function missingPermissions(
  needs: readonly KnownNeed[],
  context: PreflightContext,
): Promise<MissingPermission[]> {
  const reviews = new Reviews(context);
  const lacks = (await Promise.all(needs.map((need) => lacksOf(need, reviews)))).flat();
  reviews.logFailure();
  if (lacks.length === 0) return [];
  const user = await ownUserName(context);
  return combined(lacks).map((lack) => ({ problem: problemOf(lack, user), optional: lack.optional }));
}

/** Verbs that are not allowed for a resource in some namespaces. */
interface Lack {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Empty for all namespaces. */
  readonly namespaces: readonly string[];
  readonly whys: readonly string[];
  readonly optional: boolean;
}

async function lacksOf(need: KnownNeed, reviews: Reviews): Promise<Lack[]> {
  const { kind, subresource, why, optional = false } = need;
  const { group, plural } = kind;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const named = namespacesOf(need);
  const scopes = named.length > 0 ? named : [undefined];
  const lacks = scopes.map(async (namespace): Promise<Lack> => {
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
  { kind, namespace, reviews }: ReviewScope,
): Promise<string[]> {
  const { group, version, plural } = kind;
  const attributes = { group, version, resource: plural, subresource, namespace };
  const nameFor = (verb: string): string | undefined => (verb === "create" ? undefined : name); // a create request has no name
  const allowed = await Promise.all(
    verbs.map((verb) => reviews.allowed({ ...attributes, verb, name: nameFor(verb) })),
  );
  return verbs.filter((_, index) => !allowed[index]);
}

interface ReviewScope {
  readonly kind: Kind;
  /** All namespaces if undefined. */
  readonly namespace: string | undefined;
  readonly reviews: Reviews;
}

interface AccessAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** Reviews the permissions of this user, each once. */
class Reviews {
  readonly #context: PreflightContext;
  readonly #results = new Map<string, Promise<boolean>>();
  /** The first error of a review. */
  #failure: Error | undefined;

  constructor(context: PreflightContext) {
    this.#context = context;
  }

  /** Returns true if the access is allowed or the review fails: then the server decides on the request itself. */
  allowed(attributes: AccessAttributes): Promise<boolean> {
    const key = JSON.stringify(attributes);
    const result = this.#results.get(key) ?? this.#review(attributes);
    this.#results.set(key, result);
    return result;
  }

  /** Logs the first failed review, unless the checks were aborted. */
  logFailure(): void {
    const { signal, log } = this.#context;
    const aborted = signal.aborted && !(signal.reason instanceof TimeoutError);
    if (!this.#failure || aborted) return;
    log.warn("cannot check all permissions", { error: this.#failure.message });
  }

  async #review(resourceAttributes: AccessAttributes): Promise<boolean> {
    const { client, signal } = this.#context;
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

/** Returns the name of the user that permissions must be bound to. */
async function ownUserName({ client, signal }: PreflightContext): Promise<string> {
  try {
    const { status } = await client.create(SelfSubjectReview, { metadata: {} }, { signal });
    return status?.userInfo?.username ?? "this user";
  } catch {
    return "this user"; // older servers do not have this review
  }
}

/** Merges lacks by resource and namespace, then namespaces with the same lacks. */
function combined(lacks: readonly Lack[]): Lack[] {
  const byNamespace = merged(lacks, ({ namespaces }) => namespaces);
  return merged(byNamespace, ({ verbs, whys }) => [...verbs, ...whys]);
}

/** Merges the lacks of one resource with the same key. */
function merged(lacks: readonly Lack[], keyOf: (lack: Lack) => readonly string[]): Lack[] {
  const found = new Map<string, Lack>();
  for (const lack of lacks) {
    const key = JSON.stringify([lack.group, lack.resource, lack.optional, keyOf(lack)]);
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
  const [where, role] = scopeOf(namespaces);
  return (
    `expected ${user} to have permission to ${verbs.join(", ")} ${name} ${where} (${whys.join("; ")}), got none; ` +
    `${role} that is bound to it needs this rule:\n${ruleOf(lack)}`
  );
}

function scopeOf(namespaces: readonly string[]): readonly [where: string, role: string] {
  if (namespaces.length === 0) return ["in the whole cluster", "a ClusterRole"];
  const list = namespaces.join(", ");
  return namespaces.length === 1
    ? [`in namespace ${list}`, `a Role of namespace ${list}`]
    : [`in namespaces ${list}`, "a Role of each of these namespaces"];
}

/** Formats a rule for `rules:` of a Role or ClusterRole. */
function ruleOf({ group, resource, verbs }: Pick<Lack, "group" | "resource" | "verbs">): string {
  const list = (values: readonly string[]): string =>
    `[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
  const fields = [`apiGroups: ${list([group])}`, `resources: ${list([resource])}`, `verbs: ${list(verbs)}`];
  return fields.map((field, index) => `    ${index === 0 ? "- " : "  "}${field}`).join("\n");
}
