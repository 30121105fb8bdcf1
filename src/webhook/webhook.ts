import { apiVersionOf, type Kind, type KubeObject, type Unstructured } from "../api/index.ts";
import type { Subresources } from "../client/index.ts";
import type { Admission, DeletionAdmission } from "./admission.ts";
import type { AdmissionHook, HandlerResult, HookOptions } from "./admission-hook.ts";
import type { GroupVersionKind, Operation } from "./admission-review.ts";
import { checkHook } from "./check-hook.ts";
import { ReviewError } from "./review-error.ts";

/** Admission webhooks of one kind, or a raw one. Pass it to `manager({ webhooks })`. */
export interface Webhook<T extends KubeObject = KubeObject> {
  /** The kind of the objects. @default unknown, for a raw webhook */
  readonly kind?: Kind<T> | undefined;
  /** The paths that the server serves for it, at most one mutating and one validating. */
  readonly hooks: readonly AdmissionHook[];
}

/** Handlers of the objects of a kind. They may be asynchronous. */
export interface WebhookHandlers<T> {
  /**
   * Sets defaults: changes the object in place. Called on CREATE and UPDATE. The API server calls it before `validate`.
   */
  readonly default?: ((object: T, admission: Admission<T>) => void | Promise<void>) | undefined;
  /** Throws `Denied` if the object is not acceptable. Called on CREATE and UPDATE. */
  readonly validate?: ((admission: Admission<T>) => void | Promise<void>) | undefined;
  /** Throws `Denied` if the object may not be deleted. Called on DELETE. */
  readonly validateDelete?: ((admission: DeletionAdmission<T>) => void | Promise<void>) | undefined;
}

export interface WebhookOptions extends HookOptions {
  /**
   * The name in the configuration and in messages: at least three parts with dots between them. Further webhooks for
   * the same kind need one. @default "mutate.websites.example.dev" and "validate.websites.example.dev"
   */
  readonly name?: string | undefined;
  /**
   * The path on the server. With both a mutating and a validating webhook, `/mutate` and `/validate` are added to it.
   * @default controller-runtime's "/mutate-example-dev-v1-website", or "/mutate-" and the name with dashes
   */
  readonly path?: string | undefined;
  /** Restricts the calls to these operations. @default those that have a handler */
  readonly operations?: readonly Exclude<Operation, "CONNECT">[] | undefined;
}

/**
 * Describes the admission webhooks of a kind.
 *
 * ```ts
 * const admission = webhook(Website, {
 *   default(site) {
 *     site.spec.replicas ??= 1;
 *   },
 *   validate({ object, previous, warn }) {
 *     if (previous && previous.spec.domain !== object.spec.domain) {
 *       throw new Denied("is immutable", { field: "spec.domain" });
 *     }
 *     if (object.spec.image.endsWith(":latest")) warn("spec.image: a moving tag");
 *   },
 * });
 * await manager({ controllers: [websites], webhooks: [admission] }).run({ signal: shutdownSignal() });
 * ```
 *
 * The patch is computed from the bytes that the API server sent, so fields that the type does not have are never lost.
 * An error that is not `Denied` refuses the request with 500 and its message, and is logged. With `subresource`, the
 * handlers get the type of the subresource: `webhook(Pod, { subresource: "eviction", validate })`.
 */
export function webhook<T extends KubeObject>(
  kind: Kind<T>,
  options: WebhookHandlers<NoInfer<T>> & WebhookOptions & { readonly subresource?: "status" | undefined },
): Webhook<T>;
export function webhook<S extends keyof Subresources>(
  kind: Kind,
  options: WebhookHandlers<Subresources[S]> & WebhookOptions & { readonly subresource: S },
): Webhook;
export function webhook(kind: Kind, options: TypedOptions): Webhook {
  const { default: mutate, validate, validateDelete, subresource } = options;
  const typed = { kind, subresource };
  const changes: Operation[] = ["CREATE", "UPDATE"];
  const mutating: TypedHook = {
    ...typed,
    type: "mutating",
    operations: mutate ? changes : [],
    async handle(admission) {
      const { object } = admission;
      await mutate?.(object, admission);
      return { allowed: true, object };
    },
  };
  const validating: TypedHook = {
    ...typed,
    type: "validating",
    operations: [...(validate ? changes : []), ...(validateDelete ? (["DELETE"] as const) : [])],
    async handle(admission) {
      // `hookOf` has checked that a delete has a previous object.
      if (admission.operation === "DELETE")
        await validateDelete?.(admission as DeletionAdmission<KubeObject>);
      else await validate?.(admission);
    },
  };
  const handled = [mutating, validating].filter(({ operations }) => operations.length > 0);
  checkOperations(handled, options);
  const hooks = handled
    .map((hook) => ({ ...hook, operations: hook.operations.filter(isWanted(options)) }))
    .filter(({ operations }) => operations.length > 0);
  return { kind, hooks: hooks.map((hook) => hookOf(hook, options, hooks.length > 1)) };
}

interface TypedOptions extends WebhookHandlers<KubeObject>, WebhookOptions {
  readonly subresource?: string | undefined;
}

/** A hook of a kind before its name and path are known. */
interface TypedHook {
  readonly type: AdmissionHook["type"];
  readonly kind: Kind;
  readonly subresource: string | undefined;
  readonly operations: readonly Operation[];
  handle(admission: Admission<Unstructured>): HandlerResult;
}

function hookOf(typed: TypedHook, options: WebhookOptions, both: boolean): AdmissionHook {
  const { type, kind, subresource, operations } = typed;
  const { name, path, operations: _operations, ...rest } = options;
  const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
  const hook: AdmissionHook = {
    type,
    name: name ?? defaultName(typed),
    path: path === undefined ? defaultPath(typed, name) : `${path}${both ? `/${verbs[type]}` : ""}`,
    rules: [
      {
        operations,
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        resources: [resource],
        scope: kind.namespaced ? "Namespaced" : "Cluster",
      },
    ],
    options: registered(rest),
    definedHere: kind.definedHere ?? false,
    admit(admission) {
      checkRequest(typed, admission);
      return operations.includes(admission.operation) ? typed.handle(admission) : undefined;
    },
  };
  checkHook(hook);
  return hook;
}

const verbs = { mutating: "mutate", validating: "validate" } as const;

function defaultName({ type, kind, subresource }: TypedHook): string {
  const resource = subresource === undefined ? kind.plural : `${subresource}.${kind.plural}`;
  return `${verbs[type]}.${resource}.${kind.group || "core"}`;
}

/** Returns the path that controller-runtime generates, for a webhook without a name. */
function defaultPath({ type, kind, subresource }: TypedHook, name: string | undefined): string {
  const own =
    name ??
    [kind.group, kind.version, kind.kind.toLowerCase(), ...(subresource ? [subresource] : [])].join("-");
  return `/${verbs[type]}-${own.replaceAll(".", "-")}`;
}

/** Returns the options that the registration contains, without the handlers. */
function registered(options: HookOptions): HookOptions {
  const { failurePolicy, timeoutSeconds, matchPolicy, namespaceSelector, objectSelector } = options;
  const { matchConditions, reinvocationPolicy, sideEffects } = options;
  return {
    failurePolicy,
    timeoutSeconds,
    matchPolicy,
    namespaceSelector,
    objectSelector,
    matchConditions,
    reinvocationPolicy,
    sideEffects,
  };
}

function isWanted({ operations }: WebhookOptions): (operation: Operation) => boolean {
  return (operation) => !operations || operations.some((each) => each === operation);
}

/** Throws if no handler is given, or an operation has none. */
function checkOperations(handled: readonly TypedHook[], { operations = [] }: WebhookOptions): void {
  if (handled.length === 0) {
    throw new TypeError(
      "expected default, validate or validateDelete in the options of webhook(), got none of them",
    );
  }
  for (const operation of operations) {
    if (handled.some((each) => each.operations.includes(operation))) continue;
    const handler = operation === "DELETE" ? "validateDelete" : "default or validate";
    throw new TypeError(
      `expected ${handler} in the options of webhook() for operation ${operation}, got none`,
    );
  }
}

/** Throws if the request is for another kind, or lacks the objects of its operation. */
function checkRequest(
  { kind, subresource }: TypedHook,
  { request, operation }: Admission<Unstructured>,
): void {
  const ofObject = subresource === undefined || subresource === "status";
  if (ofObject && !isSameKind(kind, request.kind)) {
    throw new ReviewError(
      400,
      `expected a review of ${apiVersionOf(kind)} ${kind.kind}, got ${apiVersionOf(request.kind)} ${request.kind.kind}; ` +
        "check the rules of its webhook configuration",
    );
  }
  const isDelete = operation === "DELETE";
  if (!isDelete && operation !== "CONNECT" && !request.object) throw lacks("object", operation);
  if ((isDelete || (operation === "UPDATE" && ofObject)) && !request.oldObject)
    throw lacks("oldObject", operation);
}

function isSameKind(kind: Kind, other: GroupVersionKind): boolean {
  return kind.group === other.group && kind.version === other.version && kind.kind === other.kind;
}

function lacks(field: string, operation: Operation): ReviewError {
  return new ReviewError(400, `expected request.${field} with operation ${operation}, got none`);
}
