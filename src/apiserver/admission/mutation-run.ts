import type { KubeObject } from "../../api/index.ts";
import { applyJsonPatch, PatchError } from "../../patch/index.ts";
import { DecodeError, equal, JsonSyntaxError, readJson } from "../../schema/index.ts";
import { internal } from "../types/status-error.ts";
import type { AdmissionContext } from "./admission-context.ts";
import type { ReviewResponse } from "./admission-review.ts";
import type { AdmissionAttributes, DecodeObject } from "./attributes.ts";
import { callWebhook, failure, handleFailure } from "./call-webhook.ts";
import { convertedAttributes, convertObject, isSameKind } from "./converted-attributes.ts";
import { type Invocation, invocationOf } from "./invocation.ts";
import type { ConfiguredWebhook } from "./webhook-configurations.ts";

/** The steps around the calls of mutating webhooks. */
export interface Mutation {
  /** Decodes a patched object of the request's kind. */
  readonly decode: DecodeObject;
  /** Runs the built-in admission again after a webhook has changed the object. @default none */
  readonly admitAgain?: ((object: KubeObject) => void) | undefined;
}

interface MutationRequest {
  readonly attributes: AdmissionAttributes;
  readonly mutation: Mutation;
}

/**
 * The calls of the mutating webhooks for one write.
 *
 * If a webhook changes the object, the built-in admission and the webhooks before it whose policy is `IfNeeded` run
 * once more, in a second round.
 */
export class MutationRun {
  readonly #context: AdmissionContext;
  readonly #webhooks: readonly ConfiguredWebhook[];
  readonly #mutation: Mutation;
  /** The write with the object as changed so far. */
  #attributes: AdmissionAttributes;
  /** The webhooks that run again if the object changes from now on. */
  #reinvocable = new Set<string>();
  /** The webhooks of the second round. */
  readonly #reinvoked = new Set<string>();
  #changed = false;

  constructor(
    context: AdmissionContext,
    webhooks: readonly ConfiguredWebhook[],
    { attributes, mutation }: MutationRequest,
  ) {
    this.#context = context;
    this.#webhooks = webhooks;
    this.#attributes = attributes;
    this.#mutation = mutation;
  }

  /** Returns the object with all changes. */
  async run(): Promise<KubeObject | undefined> {
    await this.#round(() => true);
    if (!this.#changed) return this.#attributes.object;
    this.#admitAgain();
    await this.#round(({ id }) => this.#reinvoked.has(id));
    return this.#attributes.object;
  }

  #admitAgain(): void {
    const { object } = this.#attributes;
    if (!object || !this.#mutation.admitAgain) return;
    const before = structuredClone(object);
    this.#mutation.admitAgain(object);
    if (!equal(before, object)) this.#reinvoke();
  }

  /** Calls the webhooks for which `takesPart` returns true when their turn comes. */
  async #round(takesPart: (configured: ConfiguredWebhook) => boolean): Promise<void> {
    for (const configured of this.#webhooks) {
      const invocation = takesPart(configured) && invocationOf(configured, this.#attributes, this.#context);
      if (!invocation) continue;
      const changed = await this.#call(invocation).catch((error: unknown) => {
        handleFailure(invocation, error);
        return false;
      });
      if (changed) this.#reinvoke();
      if (isReinvocable(configured)) this.#reinvocable.add(configured.id);
    }
  }

  /** Schedules the webhooks that have run so far for the second round. */
  #reinvoke(): void {
    this.#changed = true;
    for (const id of this.#reinvocable) this.#reinvoked.add(id);
    this.#reinvocable = new Set();
  }

  /** Calls a webhook and applies its patch. Returns true if the object has changed. */
  async #call(invocation: Invocation): Promise<boolean> {
    const attributes = await convertedAttributes(invocation, this.#attributes);
    const response = await callWebhook(this.#context, invocation, { attributes, mutating: true });
    const patch = patchOf(invocation, response);
    if (!patch) return false;
    const { name } = invocation.webhook;
    if (!attributes.object)
      throw internal(
        `admission webhook "${name}" attempted to modify the object, which is not supported for this operation`,
      );
    const patched = patchedObject(attributes.object, patch);
    const before = this.#attributes.object;
    const own = isSameKind(invocation, this.#attributes)
      ? patched
      : await convertObject(this.#attributes.resource, patched as KubeObject);
    const object = decoded(own, this.#mutation.decode);
    this.#attributes = { ...this.#attributes, object };
    return !equal(before, object);
  }
}

function isReinvocable({ webhook }: ConfiguredWebhook): boolean {
  return "reinvocationPolicy" in webhook && webhook.reinvocationPolicy === "IfNeeded";
}

/** Returns the operations of the patch, or `undefined` if there are none. */
function patchOf(
  { webhook: { name } }: Invocation,
  { patch, patchType }: ReviewResponse,
): readonly unknown[] | undefined {
  if (patch === "") return undefined;
  const operations = operationsOf(name, patch);
  if (operations.length === 0) return undefined;
  if (patchType !== "JSONPatch") throw failure(name, `unsupported patch type "${patchType}"`);
  return operations;
}

function operationsOf(name: string, patch: string): readonly unknown[] {
  const undecodable = "received undecodable patch in webhook response";
  try {
    const { value } = readJson(patch);
    if (Array.isArray(value)) return value;
    const type = value === null ? "null" : typeof value;
    throw failure(
      name,
      `${undecodable}: json: cannot unmarshal ${type} into Go value of type jsonpatch.Patch`,
    );
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw failure(name, `${undecodable}: ${error.message}`);
    throw error;
  }
}

function patchedObject(object: KubeObject, patch: readonly unknown[]): unknown {
  try {
    return applyJsonPatch(object, patch);
  } catch (error) {
    if (error instanceof PatchError) throw internal(error.message);
    throw error;
  }
}

function decoded(value: unknown, decode: DecodeObject): KubeObject {
  try {
    return decode(value);
  } catch (error) {
    if (error instanceof DecodeError) throw internal(error.message);
    throw error;
  }
}
