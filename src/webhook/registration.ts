import type { Draft, Kind, KubeObject } from "../api/index.ts";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  type WebhookClientConfig,
} from "../api/types/admissionregistration/v1.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import type { Clock, Logger } from "../base/index.ts";
import { type Client, isForbidden, type JsonPatchStep } from "../client/index.ts";
import type { CertificateSource } from "../serving/index.ts";
import type { AdmissionHook } from "./admission-hook.ts";
import {
  conversionSection,
  hashAnnotation,
  mutatingConfiguration,
  type RegisteredConverter,
  type RegistrationContent,
  validatingConfiguration,
} from "./configurations.ts";
import { clientConfigOf, leadsTo, type WebhookTarget } from "./webhook-target.ts";

export interface RegistrationOptions {
  readonly mode: "managed" | "temporary" | "bundle";
  readonly name: string;
  readonly target: WebhookTarget;
  /** The namespace of the server's own Pods. `undefined` if they are not in this cluster. */
  readonly namespace: string | undefined;
  readonly hooks: readonly AdmissionHook[];
  readonly converters: readonly RegisteredConverter[];
  readonly certificates: Pick<CertificateSource, "bundle">;
  readonly client: Client;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * Writes the webhook configurations and the conversion of CustomResourceDefinitions.
 *
 * Every replica does so, because caches may need the conversion before a leader is elected. During a rollout, replicas
 * of two releases may have different configurations: the one that starts later wins, and a configuration of another
 * release is replaced only after ten minutes, so that two releases do not overwrite each other all the time.
 */
export class Registration {
  readonly #options: RegistrationOptions;
  readonly #client: Client;
  /** Monotonic time at which configurations of other releases are replaced. */
  #overwriteMs = Number.NEGATIVE_INFINITY;

  constructor(options: RegistrationOptions) {
    this.#options = options;
    this.#client = options.client.withFieldManager("trimtab-webhooks");
  }

  /** Writes what is missing or different. Returns the CAs if they are registered everywhere, otherwise `undefined`. */
  async sync(signal: AbortSignal): Promise<string | undefined> {
    const { hooks, converters, certificates, clock, mode } = this.#options;
    const { bundle } = certificates;
    const content = { ...this.#options, bundle };
    if (mode === "bundle") {
      await this.#fill(content, signal);
      return bundle;
    }
    const overwrite = clock.monotonic() >= this.#overwriteMs;
    const call = { overwrite, signal };
    const written = [
      await this.#apply(MutatingWebhookConfiguration, mutatingConfiguration(hooks, content), call),
      await this.#apply(ValidatingWebhookConfiguration, validatingConfiguration(hooks, content), call),
    ];
    for (const converter of converters) written.push(await this.#applyConversion(converter, content, signal));
    if (overwrite) this.#overwriteMs = clock.monotonic() + overwriteAfterMs;
    return written.every(Boolean) ? bundle : undefined;
  }

  /** Removes everything that `sync` has written. */
  async remove(): Promise<void> {
    const { name, hooks, converters } = this.#options;
    const types = new Set(hooks.map(({ type }) => type));
    const removed = [
      ...(types.has("mutating") ? [this.#client.delete(MutatingWebhookConfiguration, { name })] : []),
      ...(types.has("validating") ? [this.#client.delete(ValidatingWebhookConfiguration, { name })] : []),
    ];
    const reset = converters.map(async ({ definition }) => {
      const key = { name: definition };
      if (!(await this.#client.get(CustomResourceDefinition, key))) return;
      const merge = { spec: { conversion: { strategy: "None", webhook: null } } };
      await this.#client.patch(CustomResourceDefinition, key, { merge });
    });
    await Promise.all([...removed, ...reset]);
  }

  /**
   * Applies a configuration. One without webhooks is only applied if it exists, to remove entries of an earlier
   * release. Returns false if it is left to another release.
   */
  async #apply<T extends MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
    kind: Kind<T>,
    draft: Draft<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>,
    { overwrite, signal }: { readonly overwrite: boolean; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const optional = draft.webhooks?.length === 0;
    const existing = await this.#existing(kind, draft.metadata.name, { optional, signal });
    const hash = existing?.metadata.annotations?.[hashAnnotation];
    if (optional && hash === undefined) return true; // it does not exist, or belongs to another program
    const other = hash !== undefined && hash !== draft.metadata.annotations?.[hashAnnotation];
    if (other && !overwrite) return false;
    await this.#client.apply(kind, draft as Draft<T>, { force: true, signal }); // the caller pairs kind and draft
    return true;
  }

  /** @param options.optional True if the permission to read it is not required. */
  async #existing<T extends KubeObject>(
    kind: Kind<T>,
    name: string,
    { optional, signal }: { readonly optional: boolean; readonly signal: AbortSignal },
  ): Promise<T | undefined> {
    try {
      return await this.#client.get(kind, { name }, { signal });
    } catch (error) {
      if (optional && isForbidden(error)) return undefined;
      throw error;
    }
  }

  /** Returns false if there is no CustomResourceDefinition. */
  async #applyConversion(
    converter: RegisteredConverter,
    content: RegistrationContent,
    signal: AbortSignal,
  ): Promise<boolean> {
    const section = conversionSection(converter, content);
    const { name } = section.metadata;
    if (await this.#client.get(CustomResourceDefinition, { name }, { signal })) {
      await this.#client.apply(CustomResourceDefinition, section, { force: true, signal });
      return true;
    }
    this.#options.log.warn("conversion not registered: CustomResourceDefinition not found", {
      definition: name,
    });
    return false;
  }

  /** Sets `caBundle` in existing objects. */
  async #fill(content: RegistrationContent, signal: AbortSignal): Promise<void> {
    const { hooks, converters } = this.#options;
    const fill = (kind: Kind<KubeObject>, name: string): Promise<void> =>
      this.#fillOne(kind, name, { content, signal });
    const types = new Set(hooks.map(({ type }) => type));
    if (types.has("mutating")) await fill(MutatingWebhookConfiguration, content.name);
    if (types.has("validating")) await fill(ValidatingWebhookConfiguration, content.name);
    for (const { definition } of converters) await fill(CustomResourceDefinition, definition);
  }

  /**
   * Sets `caBundle` of every webhook of an object that leads to this server. It is a JSON patch, not an apply: an apply
   * would own the entries of a list that the manifest must be able to remove.
   */
  async #fillOne(
    kind: Kind<KubeObject>,
    name: string,
    { content, signal }: { readonly content: RegistrationContent; readonly signal: AbortSignal },
  ): Promise<void> {
    const { target, bundle } = content;
    const object = await this.#client.get(kind, { name }, { signal });
    if (!object) {
      throw new Error(
        `expected ${kind.kind} ${name} to exist, got none; create it, or set registration: "managed"`,
      );
    }
    const { caBundle } = clientConfigOf(target, "", bundle);
    const steps: JsonPatchStep[] = clientConfigsIn(object)
      .filter(
        ({ config }) => caBundle !== undefined && config.caBundle !== caBundle && leadsTo(target, config),
      )
      .map(({ path }) => ({ op: "add", path: `${path}/caBundle`, value: caBundle }));
    if (steps.length === 0) return;
    const test: JsonPatchStep = {
      op: "test",
      path: "/metadata/resourceVersion",
      value: object.metadata.resourceVersion,
    };
    await this.#client.patch(kind, { name }, { json: [test, ...steps] }, { signal });
  }
}

/** Time after which configurations of other releases are replaced. */
const overwriteAfterMs = 600_000;

interface FoundConfig {
  /** A JSON pointer. */
  readonly path: string;
  readonly config: WebhookClientConfig;
}

/** Returns the client configurations of a webhook configuration or a CustomResourceDefinition. */
function clientConfigsIn(object: KubeObject): FoundConfig[] {
  const { webhooks = [] } = object as Partial<ValidatingWebhookConfiguration>; // undefined in a CustomResourceDefinition
  const { spec } = object as Partial<CustomResourceDefinition>; // undefined in a webhook configuration
  const conversion = spec?.conversion?.webhook?.clientConfig;
  return [
    ...webhooks.map(({ clientConfig }, index) => ({
      path: `/webhooks/${index}/clientConfig`,
      config: clientConfig,
    })),
    ...(conversion ? [{ path: "/spec/conversion/webhook/clientConfig", config: conversion }] : []),
  ];
}
