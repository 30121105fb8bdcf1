import { type Document, documentOf } from "../discovery/documents.ts";
import { type Served, type ServedGroup, type ServedVersion, sameItems } from "../discovery/served.ts";
import {
  coreDocument,
  groupDocument,
  groupsDocument,
  openIdConfigurationDocument,
  openIdKeysDocument,
  versionDocument,
  versionInfoDocument,
} from "./documents.ts";

/** The OpenAPI documents by path below `/openapi/v3/`. Each document is made on the first request. */
export type Catalog = ReadonlyMap<string, () => Document>;

export function openApiCatalog(served: Served): Catalog {
  const cached = catalogs.get(served);
  if (cached) return cached;
  const entries = new Map([
    [".well-known/openid-configuration", () => constantDocument("openid", openIdConfigurationDocument)],
    ["openid/v1/jwks", () => constantDocument("jwks", openIdKeysDocument)],
    ["api", () => constantDocument("api", coreDocument)],
    ["apis", () => constantDocument("apis", groupsDocument)],
    ...served.groups.flatMap(entriesOf),
    ["version", () => constantDocument("version", versionInfoDocument)],
  ]);
  const sorted = new Map([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
  catalogs.set(served, sorted);
  return sorted;
}

const catalogs = new WeakMap<Served, Catalog>();

/** Returns the entries of a group. Only built-in groups have a document of their own. */
function entriesOf({ name, versions }: ServedGroup): Array<[string, () => Document]> {
  const versionEntries = versions.map((each): [string, () => Document] => [
    pathOf(each),
    () => versionDocumentOf(each),
  ]);
  const custom = versions.every((version) => version.custom);
  return name === "" || custom
    ? versionEntries
    : [[`apis/${name}`, () => constantDocument(name, () => groupDocument(name))], ...versionEntries];
}

function pathOf({ group, version }: ServedVersion): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/** Returns the document of a version. It is cached while the resources of the version stay the same. */
function versionDocumentOf(version: ServedVersion): Document {
  const [first] = version.resources;
  const cached = first && cachedVersions.get(first);
  if (cached && sameItems(cached.resources, version.resources)) return cached.document;
  const document = documentOf(versionDocument(version));
  if (first) cachedVersions.set(first, { resources: version.resources, document });
  return document;
}

/** The latest document by the first resource of the version. */
const cachedVersions = new WeakMap<
  object,
  { readonly resources: readonly object[]; readonly document: Document }
>();

/** Returns a document that is the same on every server. */
function constantDocument(name: string, make: () => string): Document {
  const document = constantDocuments.get(name) ?? documentOf(make());
  constantDocuments.set(name, document);
  return document;
}

const constantDocuments = new Map<string, Document>();
