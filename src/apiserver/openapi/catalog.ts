import { type Document, documentOf } from "../discovery/documents.ts";
import { type Served, type ServedGroup, type ServedVersion, sameItems } from "../discovery/served.ts";
import {
  coreDocument,
  groupDocument,
  groupsDocument,
  versionDocument,
  versionInfoDocument,
} from "./documents.ts";

/** Documents by the path they are found under, below `/openapi/v3/`. Each is made when it is first asked for. */
export type Catalog = ReadonlyMap<string, () => Document>;

export function openApiCatalog(served: Served): Catalog {
  const known = catalogs.get(served);
  if (known) return known;
  const made = new Map([
    ["api", () => always("api", coreDocument)],
    ["apis", () => always("apis", groupsDocument)],
    ...served.groups.flatMap(entriesOf),
    ["version", () => always("version", versionInfoDocument)],
  ]);
  const sorted = new Map([...made].sort(([one], [other]) => (one < other ? -1 : 1)));
  catalogs.set(served, sorted);
  return sorted;
}

const catalogs = new WeakMap<Served, Catalog>();

/** Of a group itself there is a document only where it is built in. */
function entriesOf({ name, versions }: ServedGroup): Array<[string, () => Document]> {
  const own = versions.map((each): [string, () => Document] => [pathOf(each), () => versionDocumentOf(each)]);
  const custom = versions.every((version) => version.custom);
  return name === "" || custom
    ? own
    : [[`apis/${name}`, () => always(name, () => groupDocument(name))], ...own];
}

function pathOf({ group, version }: ServedVersion): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/** Made once for the same resources, however others come and go. */
function versionDocumentOf(version: ServedVersion): Document {
  const [first] = version.resources;
  const known = first && byResource.get(first);
  if (known && sameItems(known.resources, version.resources)) return known.document;
  const document = documentOf(versionDocument(version));
  if (first) byResource.set(first, { resources: version.resources, document });
  return document;
}

/** By the first resource of the version. */
const byResource = new WeakMap<
  object,
  { readonly resources: readonly object[]; readonly document: Document }
>();

/** Of documents that are the same on every server. */
function always(name: string, make: () => string): Document {
  const document = constant.get(name) ?? documentOf(make());
  constant.set(name, document);
  return document;
}

const constant = new Map<string, Document>();
