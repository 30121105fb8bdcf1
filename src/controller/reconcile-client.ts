import { type AnyKind, isDiscovered } from "../api/index.ts";
import type { Client, Subresource } from "../client/index.ts";
import type { CallSites, Method } from "./call-sites.ts";
import type { RequestScope } from "./request-scope.ts";
import { recordRejection } from "./uncaught-errors.ts";

/** The reconcile that a client belongs to. */
export interface ClientOwner {
  /** Controller name. */
  readonly controller: string;
  readonly key: string;
  readonly callSites: CallSites;
  readonly requests: RequestScope;
}

/**
 * Returns the client of one reconcile. When a call rejects, it records the caller's place for `nameReconciles`, because
 * the stack of the error ends in the client if the caller does not await the call.
 */
export function reconcileClient(client: Client, owner: ClientOwner): Client {
  return new ReconcileClient(client, owner) as unknown as Client; // `clientMembers` lists all of its members
}

/** How a wrapper treats a member of the object that it wraps. */
type Treatment =
  /** A value, read through. */
  | "value"
  /** A call, passed on as it is. */
  | "forward"
  /** A call that returns a client, which is wrapped too. */
  | "client"
  /** A call that returns a subresource, which is wrapped too. */
  | "subresource"
  /** A call that sends requests. It is recorded. */
  | "request"
  /** A call that is recorded only if it sends requests: reads from the cache take less time than that. */
  | "read";

const clientMembers: Readonly<Record<keyof Client, Treatment>> = {
  namespace: "value",
  fieldManager: "value",
  transport: "value",
  get: "read",
  list: "read",
  // The caller of these awaits each item, so the stack of an error names the caller.
  pages: "forward",
  watch: "forward",
  logs: "forward",
  create: "request",
  update: "request",
  patch: "request",
  apply: "request",
  applyStatus: "request",
  patchStatus: "request",
  delete: "request",
  deleteAll: "request",
  migrate: "request",
  exec: "request",
  attach: "request",
  discover: "request",
  resolve: "request",
  version: "request",
  collection: "request",
  subresource: "subresource",
  inNamespace: "client",
  as: "client",
  withFieldManager: "client",
  through: "client",
  recordMetrics: "forward",
  close: "forward",
  [Symbol.asyncDispose]: "forward",
};

const subresourceMembers: Readonly<Record<keyof Subresource<unknown>, Treatment>> = {
  get: "request",
  create: "request",
  update: "request",
  patch: "request",
  apply: "request",
};

/** An object that passes calls on to another one. Its members are defined from a table of treatments. */
abstract class Wrapper {
  readonly target: object;
  readonly owner: ClientOwner;

  constructor(target: object, owner: ClientOwner) {
    this.target = target;
    this.owner = owner;
  }
}

class ReconcileClient extends Wrapper {}
class ReconcileSubresource extends Wrapper {}

type Arguments = readonly unknown[];

const treatments: Readonly<Record<Treatment, (member: PropertyKey) => PropertyDescriptor>> = {
  value: (member) => ({
    get(this: Wrapper) {
      return Reflect.get(this.target, member);
    },
  }),
  forward: (member) => ({
    value(this: Wrapper, ...args: Arguments) {
      return forward(this, member, args);
    },
  }),
  client: (member) => ({
    value(this: Wrapper, ...args: Arguments) {
      return reconcileClient(forward(this, member, args), this.owner);
    },
  }),
  subresource: (member) => ({
    value(this: Wrapper, ...args: Arguments) {
      return new ReconcileSubresource(forward(this, member, args), this.owner);
    },
  }),
  request: (member) => ({
    value: function request(this: Wrapper, ...args: Arguments) {
      return recorded(forward<Promise<unknown>>(this, member, args), this.owner, {
        name: callName(member, args),
        method: request,
      });
    },
  }),
  read: (member) => ({
    value: function read(this: Wrapper, ...args: Arguments) {
      const { requests } = this.owner;
      const before = requests.sent;
      const reading = forward<Promise<unknown>>(this, member, args);
      // A kind that is not discovered may have to be looked up before a request is sent.
      if (requests.sent === before && isDiscovered(args[0] as AnyKind)) return reading;
      return recorded(reading, this.owner, { name: callName(member, args), method: read });
    },
  }),
};

define(ReconcileClient.prototype, clientMembers);
define(ReconcileSubresource.prototype, subresourceMembers);

function define(prototype: object, members: Readonly<Record<PropertyKey, Treatment>>): void {
  for (const member of Reflect.ownKeys(members)) {
    const treatment = members[member];
    if (treatment) Object.defineProperty(prototype, member, treatments[treatment](member));
  }
}

function forward<R>({ target }: Wrapper, member: PropertyKey, args: Arguments): R {
  const method = Reflect.get(target, member) as (...args: Arguments) => R; // the table lists methods of the target
  return Reflect.apply(method, target, args);
}

/** Names a call for `CallSites`: "patch Pod". */
function callName(member: PropertyKey, [kind]: Arguments): string {
  const name = typeof kind === "object" && kind !== null && "kind" in kind ? kind.kind : "";
  return `${String(member)} ${name}`;
}

interface RecordedCall {
  readonly name: string;
  /** The method that was called. */
  readonly method: Method;
}

/** Returns the result of a call. If it rejects, records where the call was made. */
async function recorded<R>(
  result: Promise<R>,
  owner: ClientOwner,
  { name, method }: RecordedCall,
): Promise<R> {
  const places = owner.callSites.note(name, method);
  try {
    return await result;
  } catch (error) {
    const { controller, key } = owner;
    recordRejection(error, { controller, key, places });
    throw error;
  }
}
