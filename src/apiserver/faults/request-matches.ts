import { type ResourceRequest, requestInfo } from "../routing/request-info.ts";
import { verbOf } from "../routing/request-verb.ts";
import type { ServerRequest } from "../types/exchange.ts";
import type { FaultMatch } from "./fault-rule.ts";

/** Returns true if a request matches. */
export function requestMatches(request: ServerRequest, match: FaultMatch): boolean {
  const { userAgent, ...resourceMatch } = match;
  if (userAgent !== undefined && !request.headers["user-agent"]?.startsWith(userAgent)) return false;
  if (Object.values(resourceMatch).every((value) => value === undefined)) return true;
  const info = infoOf(request);
  return info !== undefined && matchesResource(request, info, resourceMatch);
}

function infoOf({ path }: ServerRequest): ResourceRequest | undefined {
  try {
    const info = requestInfo(path);
    return info.type === "resource" ? info : undefined;
  } catch {
    return undefined; // an undecodable path addresses no resource
  }
}

function matchesResource(request: ServerRequest, info: ResourceRequest, match: FaultMatch): boolean {
  const { verb, resource, namespace, name } = match;
  const requestVerb = verbOf(request, info);
  return (
    (verb === undefined || [verb].flat().some((one) => one === requestVerb)) &&
    (resource === undefined || resource === resourceOf(info)) &&
    (namespace === undefined || namespace === namespaceOf(info)) &&
    (name === undefined || name === nameOf(request, info))
  );
}

function resourceOf({ plural, group, subresource }: ResourceRequest): string {
  const qualified = group === "" ? plural : `${plural}.${group}`;
  return subresource === undefined ? qualified : `${qualified}/${subresource}`;
}

function namespaceOf({ plural, namespace, name }: ResourceRequest): string | undefined {
  return plural === "namespaces" ? name : namespace;
}

/** Returns the name of the object in the request. A list or watch of one object has it in the field selector. */
function nameOf({ method, query, body }: ServerRequest, info: ResourceRequest): string | undefined {
  if (info.name !== undefined) return info.name;
  if (method === "POST") return nameIn(body);
  return /(?:^|,)metadata\.name==?([^,]+)/.exec(query.get("fieldSelector") ?? "")?.[1];
}

function nameIn(body: Buffer): string | undefined {
  try {
    const object = JSON.parse(body.toString()) as { metadata?: { name?: string } } | null;
    return object?.metadata?.name;
  } catch {
    return undefined; // the server rejects the body
  }
}
