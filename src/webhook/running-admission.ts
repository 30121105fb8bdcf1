import { setMaxListeners } from "node:events";
import type { Unstructured } from "../api/index.ts";
import type { UserInfo } from "../api/types/authentication/v1.ts";
import { type Logger, placeOf } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache } from "../controller/index.ts";
import type { Admission } from "./admission.ts";
import type { AdmissionRequest, Operation } from "./admission-review.ts";

/** The dependencies of handlers. */
export interface HandlerEnvironment {
  /** The client of the handlers. @default reading `client` throws */
  readonly client?: Client | undefined;
  /** The cache of the handlers. @default reading `cache` throws */
  readonly cache?: Cache | undefined;
  readonly log: Logger;
  /** Called when a handler has failed with another error than `Denied`. */
  readonly onFailed?: (() => void) | undefined;
}

/** One call of a handler. It creates its logger and signal on first use, because most handlers use neither. */
export class RunningAdmission implements Admission<Unstructured> {
  readonly request: AdmissionRequest;
  /** The uid of the request as it came: a handler may change the request. */
  readonly uid: string;
  readonly operation: Operation;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly previous: Unstructured | undefined;
  /** Warnings so far. */
  readonly warnings: string[] = [];
  /** Audit annotations so far. */
  readonly annotations: Map<string, string> = new Map();
  readonly #environment: HandlerEnvironment;
  readonly #webhook: string;
  #log: Logger | undefined;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor(webhook: string, request: AdmissionRequest, environment: HandlerEnvironment) {
    this.request = request;
    this.uid = request.uid;
    this.operation = request.operation;
    this.user = request.userInfo;
    this.dryRun = request.dryRun ?? false;
    this.previous = request.oldObject;
    this.#webhook = webhook;
    this.#environment = environment;
  }

  /** The new object. Typed handlers run only after a check that it is present. */
  get object(): Unstructured {
    return this.request.object as Unstructured;
  }

  // These are functions of their own, so that a handler can take them out of the context.
  readonly warn = (text: string): void => void this.warnings.push(String(text));
  readonly audit = (key: string, value: string): void => void this.annotations.set(key, String(value));

  get client(): Client {
    const { client } = this.#environment;
    if (client) return client;
    throw new Error("expected a client for this handler, got none; pass one to review()");
  }

  get cache(): Cache {
    const { cache } = this.#environment;
    if (cache) return cache;
    throw new Error("expected a cache for this handler, got none; pass one to review()");
  }

  get log(): Logger {
    this.#log ??= this.#environment.log.with(this.#fields());
    return this.#log;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      setMaxListeners(0, this.#controller.signal); // a handler may pass it to any number of calls
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  /** Reports that the handler has failed with this error. */
  failed(error: Error): void {
    this.log.error("webhook handler failed", { error, at: placeOf(error) });
    this.#environment.onFailed?.();
  }

  #fields(): Record<string, unknown> {
    const { resource, subResource, namespace, name } = this.request;
    const path = subResource ? `${resource.resource}/${subResource}` : resource.resource;
    return {
      webhook: this.#webhook,
      resource: resource.group === "" ? path : `${path}.${resource.group}`,
      ...(namespace && { namespace }),
      ...(name && { name }),
      user: this.user.username,
      requestId: this.uid,
    };
  }
}
