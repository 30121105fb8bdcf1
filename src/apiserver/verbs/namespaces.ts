import type { KubeObject } from "../../api/index.ts";
import { parseStored } from "../codec/document.ts";
import type { Resource } from "../types/resource.ts";
import { forbidden, notFound } from "../types/status-error.ts";
import type { Engine } from "./engine.ts";

export const namespacePrefix = "/registry/namespaces/";

/** Throws a `StatusError` if the namespace of a new object does not exist or is terminating. */
export function checkNamespace({ storage }: Engine, resource: Resource, { metadata }: KubeObject): void {
  const { namespace, name } = metadata;
  if (!resource.namespaced || !namespace) return;
  const stored = storage.get(namespacePrefix + namespace);
  if (!stored) throw notFound({ group: "", plural: "namespaces" }, namespace);
  const { metadata: found } = parseStored(stored.json) as KubeObject;
  if (!found.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  throw forbidden(resource, name, { why, causes: [cause] });
}
