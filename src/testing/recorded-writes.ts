import { type KubeObject, keyText } from "../api/index.ts";
import { type FieldChange, fieldChanges } from "../detector/index.ts";
import { type ApiRequest, type ApiResponse, headerOf, type Transport } from "../transport/index.ts";

/** A write that changed an object on the server. */
export interface RecordedWrite {
  readonly verb: "create" | "update" | "patch" | "apply" | "delete";
  readonly kind: string;
  readonly key: string;
  readonly subresource: string | undefined;
  /** True if the object did not exist before. */
  readonly isNew: boolean;
  /** The changed fields. Empty for a create or a delete, and if only the resource version changed. */
  readonly changes: readonly FieldChange[];
}

/**
 * Records the writes through a transport that change an object. It reads each object before the write. Not recorded are
 * Events and Leases, reviews sent as POST, dry runs, and failed requests.
 */
export class RecordedWrites {
  readonly writes: RecordedWrite[] = [];
  /** Number of writes sent, including those that changed nothing. */
  sent = 0;
  /** Number of writes without a response yet. */
  pending = 0;

  /** A layer for `client.through`. */
  readonly layer: (transport: Transport) => Transport = (transport) => ({
    get server() {
      return transport.server;
    },
    send: (request) => this.#send(transport, request),
    open: (request) => transport.open(request),
    close: () => transport.close(),
  });

  async #send(transport: Transport, request: ApiRequest): Promise<ApiResponse> {
    const target = request.method === "GET" ? undefined : parseResourcePath(request.path);
    if (!target || !counts(target)) return transport.send(request);
    this.sent += 1;
    this.pending += 1;
    try {
      const before = await objectsAt(transport, request, target);
      const response = await transport.send(request);
      if (response.status < 300) this.writes.push(...writesOf(request, target, { before, response }));
      return response;
    } finally {
      this.pending -= 1;
    }
  }
}

function counts({ group, resource, subresource, query }: ResourcePath): boolean {
  if (query.has("dryRun") || subresource === "token") return false;
  return !(resource === "events" || resource === "leases" || /\.authorization\.k8s\.io$/.test(`.${group}`));
}

/** Returns the objects that the write is about, as they are before it. */
async function objectsAt(
  transport: Transport,
  { method, signal }: ApiRequest,
  { path, name, query }: ResourcePath,
): Promise<KubeObject[]> {
  if (method === "POST") return [];
  const selectors = ["labelSelector", "fieldSelector"].flatMap((each) => {
    const value = query.get(each);
    return value === null ? [] : [`${each}=${encodeURIComponent(value)}`];
  });
  const listPath = name === undefined && selectors.length > 0 ? `${path}?${selectors.join("&")}` : path;
  const response = await transport.send({
    method: "GET",
    path: listPath,
    headers: { accept: "application/json" },
    signal,
  });
  if (response.status !== 200) return [];
  const found = parsed(response);
  return name === undefined ? ((found as { items?: KubeObject[] }).items ?? []) : [found];
}

interface Exchange {
  readonly before: readonly KubeObject[];
  readonly response: ApiResponse;
}

function writesOf(
  request: ApiRequest,
  target: ResourcePath,
  { before, response }: Exchange,
): RecordedWrite[] {
  const { subresource } = target;
  if (request.method === "DELETE") {
    const deletable = before.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const deleted = { verb: "delete", subresource, isNew: false, changes: [] } as const;
    return deletable.map((object) => ({ ...deleted, ...nameOf(object, target) }));
  }
  const after = parsed(response);
  const [old] = before;
  if (old && isSameVersion(old, after)) return [];
  // a Scale differs from the object that it scales
  const changes = old && old.kind === after.kind ? fieldChanges(old, after) : [];
  const isNew = old === undefined && subresource === undefined;
  return [{ verb: verbOf(request), ...nameOf(old ?? after, target), subresource, isNew, changes }];
}

function isSameVersion(one: KubeObject, other: KubeObject): boolean {
  return one.metadata.resourceVersion === other.metadata.resourceVersion;
}

/** Returns the kind and key of an object. List items have no `kind`, and the response may be a `Status`. */
function nameOf(
  { kind, metadata }: KubeObject,
  { resource, name }: ResourcePath,
): Pick<RecordedWrite, "kind" | "key"> {
  const isStatus = kind === "Status";
  return { kind: (!isStatus && kind) || resource, key: isStatus ? (name ?? "") : keyText(metadata) };
}

function verbOf({ method, headers = {} }: ApiRequest): RecordedWrite["verb"] {
  if (method === "POST") return "create";
  if (method === "PUT") return "update";
  return headerOf(headers, "content-type")?.startsWith("application/apply-patch") ? "apply" : "patch";
}

/** Parses the object in the response to a write or a read. */
function parsed({ body }: ApiResponse): KubeObject {
  return JSON.parse(body.toString("utf8")) as KubeObject;
}

/** The group, resource and object that a request to an API server is about. */
export interface ResourcePath {
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
export function parseResourcePath(text: string): ResourcePath | undefined {
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
