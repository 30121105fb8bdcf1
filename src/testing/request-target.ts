/** What a request to an API server is about. */
export interface RequestTarget {
  /** "" is the core group. */
  readonly group: string;
  /** In the plural: "pods". */
  readonly resource: string;
  /** `undefined` where it is all of them. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** Of the object, or of all of them: without subresource and query. */
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
  if (steps[0] === "namespaces" && steps.length > 2 && !ofNamespaces.has(steps[2] ?? "")) {
    before.push(...steps.splice(0, 2));
  }
  const [resource, name, subresource] = steps;
  if (resource === undefined) return undefined;
  const whole = [...before, resource, ...(name === undefined ? [] : [name])];
  return {
    group,
    resource,
    name,
    subresource,
    path: `/${whole.join("/")}`,
    query: new URLSearchParams(query),
  };
}

/** Subresources of a namespace: everything else under it is an object in it. */
const ofNamespaces: ReadonlySet<string> = new Set(["status", "finalize"]);
