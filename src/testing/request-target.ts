/** The group, resource and object that a request to an API server is about. */
export interface RequestTarget {
  /** "" is the core group. */
  readonly group: string;
  /** The plural: "pods". */
  readonly resource: string;
  /** `undefined` for requests about the collection. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** Path of the object or the collection, without subresource and query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Reads a path such as `/apis/apps/v1/namespaces/default/deployments/web/status?dryRun=All`. */
export function requestTarget(text: string): RequestTarget | undefined {
  const [path = "", query] = text.split("?", 2);
  const [root, ...steps] = path.split("/").filter((step) => step !== "");
  if (root !== "api" && root !== "apis") return undefined;
  const group = root === "api" ? "" : (steps.shift() ?? "");
  const version = steps.shift() ?? "";
  const before = [root, ...(root === "api" ? [] : [group]), version];
  if (steps[0] === "namespaces" && steps.length > 2 && !namespaceSubresources.has(steps[2] ?? "")) {
    before.push(...steps.splice(0, 2));
  }
  const [resource, name, subresource] = steps;
  if (resource === undefined) return undefined;
  const segments = [...before, resource, ...(name === undefined ? [] : [name])];
  return {
    group,
    resource,
    name,
    subresource,
    path: `/${segments.join("/")}`,
    query: new URLSearchParams(query),
  };
}

/** Subresources of a Namespace. Every other path under a namespace is a resource in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);
