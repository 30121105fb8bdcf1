import type { KubeObject } from "../../api/index.ts";
import { maxDepth } from "../../transport/index.ts";
import { AdaptiveCompressor, maxCompressibleBytes } from "./adaptive-compressor.ts";
import { Entry } from "./entry.ts";
import { SerializedSource } from "./entry-source.ts";
import { JsonValidator } from "./json-validator.ts";
import type { Slab } from "./slab.ts";

/** Makes entries of objects that a program has, which may lack a type and a resource version. */
export class ObjectWriter {
  readonly #slab: Slab;
  readonly #compressor = new AdaptiveCompressor();
  readonly #validator = new JsonValidator();

  constructor(slab: Slab) {
    this.#slab = slab;
  }

  /** Returns an incoming entry: the caller stores it. Throws for an object without a valid key. */
  entry(object: KubeObject): Entry {
    const identity = identityOf(object);
    const source = new SerializedSource(object);
    if (!this.#validator.isValid(source.json, undefined))
      throw new TypeError(`expected an object of at most ${maxDepth} levels, got a deeper one`);
    if (source.length <= maxCompressibleBytes) source.compress(this.#compressor);
    return new Entry(identity, this.#slab, source);
  }
}

/** The types promise the metadata; plain JavaScript and casts may pass any value. */
function identityOf(object: KubeObject | undefined): Pick<Entry, "namespace" | "name" | "resourceVersion"> {
  const metadata = object?.metadata as Partial<KubeObject["metadata"]> | undefined;
  const { name = "", namespace = "", resourceVersion = "" } = metadata ?? {};
  if (typeof name === "string" && name !== "" && !`${namespace}${name}`.includes("/"))
    return { name, namespace, resourceVersion };
  const got = JSON.stringify(metadata === undefined ? object : { namespace: metadata.namespace, name });
  throw new TypeError(`expected an object with a name, and no "/" in its name and namespace, got ${got}`);
}
