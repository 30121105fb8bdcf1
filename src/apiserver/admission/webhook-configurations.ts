import { type LabelMatcher, type LabelSelector, selectorMatcher } from "../../api/index.ts";
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "../../api/types/admissionregistration/v1.ts";
import { parseStored } from "../codec/document.ts";
import type { Storage, StoredEntry } from "../storage/storage.ts";

/** A webhook of a stored configuration. */
export interface ConfiguredWebhook {
  /** Unique among the webhooks of all configurations of its type. */
  readonly id: string;
  readonly webhook: MutatingWebhook | ValidatingWebhook;
  readonly namespaceSelector: LabelMatcher;
  readonly objectSelector: LabelMatcher;
}

/** The webhooks of one configuration kind, in the order of their calls: by configuration name, then by index. */
export class WebhookConfigurations implements Disposable {
  readonly #storage: Storage;
  readonly #prefix: string;
  readonly #changes: Disposable;
  /** The stored webhooks. Absent after a change, until the next write needs them. */
  #webhooks: readonly ConfiguredWebhook[] | undefined;

  constructor(storage: Storage, plural: string) {
    this.#storage = storage;
    this.#prefix = `/registry/${plural}/`;
    this.#changes = storage.onChange(this.#prefix, () => {
      this.#webhooks = undefined;
    });
  }

  get webhooks(): readonly ConfiguredWebhook[] {
    this.#webhooks ??= this.#storage.list(this.#prefix).items.flatMap(webhooksOf);
    return this.#webhooks;
  }

  [Symbol.dispose](): void {
    this.#changes[Symbol.dispose]();
  }
}

function webhooksOf({ json }: StoredEntry): ConfiguredWebhook[] {
  // Only validated configurations are stored under the prefix.
  const { metadata, webhooks = [] } = parseStored(json) as
    | MutatingWebhookConfiguration
    | ValidatingWebhookConfiguration;
  return webhooks.map((webhook, index) => ({
    id: `${metadata.name}/${index}`,
    webhook,
    namespaceSelector: matcherOf(webhook.namespaceSelector),
    objectSelector: matcherOf(webhook.objectSelector),
  }));
}

function matcherOf(selector: unknown): LabelMatcher {
  // The schema of the kind guarantees the type, and its defaults that a selector is present.
  return selectorMatcher((selector ?? {}) as LabelSelector);
}
