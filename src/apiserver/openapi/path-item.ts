import type { Method, Operation, PathItem } from "./operation.ts";
import { type Parameter, pathParameters, queryParameters, sorted } from "./parameters.ts";

/** The methods of a path, each with all of its own parameters. */
export type Methods = Partial<Record<Method, Operation>>;

/** A path with what its methods have in common told once. The path itself and `pretty` are common to all. */
export function pathItem(path: string, methods: Methods): PathItem {
  const shared = [...pathParameters(path), ...queryParameters(["pretty"])];
  const operations = Object.values(methods);
  const common = (operations[0]?.parameters ?? []).filter((one) =>
    operations.every((other) => has(other, one)),
  );
  const own = Object.entries(methods).map(([method, operation]) => [
    method,
    withoutParameters(operation, common),
  ]);
  return { ...Object.fromEntries(own), parameters: sorted([...shared, ...common]) };
}

function has({ parameters = [] }: Operation, wanted: Parameter): boolean {
  return parameters.some(({ name }) => name === wanted.name);
}

function withoutParameters(operation: Operation, common: readonly Parameter[]): Operation {
  const { tags, operationId, parameters = [], ...rest } = operation;
  const left = sorted(parameters.filter(({ name }) => !common.some((shared) => shared.name === name)));
  return { tags, operationId, ...(left.length > 0 && { parameters: left }), ...rest };
}
