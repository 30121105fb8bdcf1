import { innermost, type Schema } from "./schema.ts";

/**
 * Adds the enums that a server publishes but the OpenAPI documents of a release omit. They are in the Go file that both
 * are generated from, one function per schema, formatted by gofmt: depth is counted in tabs.
 */
export function addEnums(schemas: ReadonlyMap<string, Schema>, goFile: string): void {
  const byFunction = new Map([...schemas].map(([name, schema]) => [functionName(name), schema]));
  let schema: Schema | undefined;
  let field = "";
  for (const line of goFile.split("\n")) {
    const opened = /^func (schema_\w+)\(/.exec(line);
    if (opened) schema = byFunction.get(opened[1] ?? "");
    field = /^\t{5}"([^"]+)": \{$/.exec(line)?.[1] ?? field;
    const values = /^\t+Enum: +\[\]interface\{\}\{(.*)\},$/.exec(line)?.[1];
    const target = values === undefined ? undefined : schema?.properties?.[field];
    // The enum of a list or map applies to its elements.
    if (target) innermost(target).enum = (JSON.parse(`[${values}]`) as string[]).sort();
  }
}

/** `io.k8s.api.core.v1.Pod` is `schema_k8sio_api_core_v1_Pod`: the last four parts of the package, then the name. */
function functionName(schemaName: string): string {
  const parts = schemaName.replace(/^io\.k8s\./, "k8sio.").split(".");
  return `schema_${parts.slice(-5).join("_")}`;
}
