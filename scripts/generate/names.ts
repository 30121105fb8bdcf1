import type { Schema } from "./schema.ts";
import type { Source } from "./source.ts";

/** The module and name of a schema's interface. */
export interface Place {
  /** `apps/v1` */
  readonly module: string;
  /** `Deployment` */
  readonly name: string;
}

const packages: Readonly<Record<string, string>> = {
  "io.k8s.apimachinery.pkg.apis.meta.v1": "meta/v1",
  "io.k8s.apimachinery.pkg.version": "version",
};

/**
 * Assigns each schema to its module: the folder is the group up to its first dot, which must be unique among groups.
 */
export class Names {
  readonly #modules = new Map<string, string>(Object.entries(packages));
  readonly #groups = new Map<string, string>([["meta", "meta.k8s.io"]]);

  constructor({ schemas }: Source) {
    for (const [name, schema] of schemas) this.#learn(packageOf(name), schema);
  }

  place(schemaName: string): Place {
    const module = this.#modules.get(packageOf(schemaName));
    if (module === undefined)
      throw new Error(`expected a group version for the package of ${schemaName}, got none`);
    return { module, name: schemaName.slice(schemaName.lastIndexOf(".") + 1) };
  }

  #learn(goPackage: string, schema: Schema): void {
    const named = schema["x-kubernetes-group-version-kind"]?.[0];
    if (!named || this.#modules.has(goPackage)) return;
    const folder = folderOf(named.group);
    const other = this.#groups.get(folder) ?? named.group;
    if (other !== named.group)
      throw new Error(`expected one group in folder ${folder}, got ${other} and ${named.group}`);
    this.#groups.set(folder, named.group);
    this.#modules.set(goPackage, `${folder}/${named.version}`);
  }
}

function folderOf(group: string): string {
  return group === "" ? "core" : group.replace(/\..*/, "");
}

function packageOf(schemaName: string): string {
  return schemaName.slice(0, schemaName.lastIndexOf("."));
}
