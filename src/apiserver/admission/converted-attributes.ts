import type { KubeObject } from "../../api/index.ts";
import { apiVersionOf } from "../../api/index.ts";
import type { Resource } from "../types/resource.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import type { Invocation } from "./invocation.ts";

/** Returns the write with its objects in the version of the invocation. */
export async function convertedAttributes(
  invocation: Invocation,
  attributes: AdmissionAttributes,
): Promise<AdmissionAttributes> {
  if (isSameKind(invocation, attributes)) return attributes;
  const { object, oldObject } = attributes;
  return {
    ...attributes,
    object: object && (await convertObject(invocation.resource, object)),
    oldObject: oldObject && (await convertObject(invocation.resource, oldObject)),
  };
}

/** Returns true if the webhook gets the objects as they are. */
export function isSameKind({ kind }: Invocation, { kind: requested }: AdmissionAttributes): boolean {
  return kind.version === requested.version && kind.group === requested.group;
}

/** Converts an object to another version of its resource. */
export async function convertObject(resource: Resource, object: KubeObject): Promise<KubeObject> {
  const apiVersion = apiVersionOf(resource);
  if (resource.converter) return (await resource.converter.fromStorage([object]))[0] ?? object;
  if (resource.custom || !resource.fromStored) return { ...object, apiVersion } as KubeObject;
  const { resourceVersion } = object.metadata;
  const converted = resource.fromStored(object);
  return { ...converted, metadata: { ...converted.metadata, resourceVersion } } as KubeObject;
}
