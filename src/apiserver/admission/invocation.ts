import type { KubeObject, Labels } from "../../api/index.ts";
import { parseStored } from "../codec/document.ts";
import type { Storage } from "../storage/storage.ts";
import type { Resource } from "../types/resource.ts";
import type { ResourceRegistry } from "../types/resource-registry.ts";
import { notFound } from "../types/status-error.ts";
import type { AdmissionAttributes, GroupVersionKind } from "./attributes.ts";
import { ruleMatches } from "./rule-match.ts";
import type { ConfiguredWebhook } from "./webhook-configurations.ts";

/** A call of a webhook for a write, in the version of the resource that its rules name. */
export interface Invocation {
  readonly webhook: ConfiguredWebhook["webhook"];
  /** The resource of the request, or another version of it. */
  readonly resource: Resource;
  readonly kind: GroupVersionKind;
}

export interface Served {
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
}

/** Returns the call of a webhook for a write, or `undefined` if the webhook does not select it. */
export function invocationOf(
  configured: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  served: Served,
): Invocation | undefined {
  if (!objectMatches(configured, attributes)) return undefined;
  const invocation = byRules(configured, attributes, served);
  // An unknown namespace is reported only if the rules of the webhook match.
  return invocation && namespaceMatches(configured, attributes, served) ? invocation : undefined;
}

function objectMatches(
  { objectSelector }: ConfiguredWebhook,
  { object, oldObject }: AdmissionAttributes,
): boolean {
  if (objectSelector.requirements.length === 0) return true;
  return [object, oldObject].some((one) => one && objectSelector.matches(one.metadata?.labels));
}

/** Finds the first rule that names the resource of the request. With `Equivalent`, other versions of it count, too. */
function byRules(
  { webhook }: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  { registry }: Served,
): Invocation | undefined {
  const { rules = [] } = webhook;
  const { resource, kind } = attributes;
  if (rules.some((rule) => ruleMatches(rule, attributes))) return { webhook, resource, kind };
  if (webhook.matchPolicy !== "Equivalent") return undefined;
  const others = equivalents(registry, attributes);
  const other = rules.flatMap((rule) =>
    others.filter((one) => ruleMatches(rule, { ...attributes, resource: one })),
  )[0];
  return other && { webhook, resource: other, kind: kindIn(other, attributes) };
}

/** Returns the other versions of the resource, which are stored in the same place. */
function equivalents(
  registry: ResourceRegistry,
  { resource, subresource }: AdmissionAttributes,
): readonly Resource[] {
  return registry
    .list()
    .filter(
      (one) =>
        one !== resource &&
        one.storagePrefix === resource.storagePrefix &&
        `${one.group}/${one.version}` !== `${resource.group}/${resource.version}` &&
        (subresource === "" || one.subresources.some(({ name }) => name === subresource)),
    );
}

function kindIn(resource: Resource, { subresource }: AdmissionAttributes): GroupVersionKind {
  const { group, version, kind } = resource.subresources.find(({ name }) => name === subresource) ?? resource;
  return { group, version, kind };
}

function namespaceMatches(
  { namespaceSelector }: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  { storage }: Served,
): boolean {
  const { resource, namespace } = attributes;
  if (namespace === "" && resource.plural !== "namespaces") return true;
  if (namespaceSelector.requirements.length === 0) return true;
  return namespaceSelector.matches(namespaceLabels(attributes, storage));
}

/** Returns the labels of the namespace of the write. Those of a new or updated Namespace are in the object. */
function namespaceLabels(attributes: AdmissionAttributes, storage: Storage): Labels | undefined {
  const { resource, subresource, operation, object, namespace } = attributes;
  const own = resource.plural === "namespaces" && subresource === "";
  if (own && (operation === "CREATE" || operation === "UPDATE")) return object?.metadata.labels;
  const stored = storage.get(`/registry/namespaces/${namespace}`);
  if (!stored) throw notFound({ group: "", plural: "namespaces" }, namespace);
  return (parseStored(stored.json) as KubeObject).metadata.labels;
}
