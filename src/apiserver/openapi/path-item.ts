import type { Method, Operation, PathItem } from "./operation.ts";
import { type Parameter, pathParameters, queryParameters, sorted } from "./parameters.ts";

/** The methods of a path, each with its own parameters. */
export type Methods = Partial<Record<Method, Operation>>;

/**
 * Returns a path item that has the common parameters of its methods once. Path parameters and `pretty` are common to
 * all.
 */
export function pathItem(path: string, methods: Methods): PathItem {
  const shared = [...pathParameters(path), ...queryParameters(["pretty"])];
  const operations = Object.values(methods);
  const common = (operations[0]?.parameters ?? []).filter((one) =>
    operations.every((other) => hasParameter(other, one)),
  );
  const methodEntries = Object.entries(methods).map(([method, operation]) => [
    method,
    withoutParameters(operation, common),
  ]);
  return { ...Object.fromEntries(methodEntries), parameters: sorted([...shared, ...common]) };
}

function hasParameter({ parameters = [] }: Operation, parameter: Parameter): boolean {
  return parameters.some(({ name }) => name === parameter.name);
}

function withoutParameters(operation: Operation, common: readonly Parameter[]): Operation {
  const { tags, operationId, parameters = [], ...rest } = operation;
  const remaining = sorted(parameters.filter(({ name }) => !common.some((shared) => shared.name === name)));
  return { tags, operationId, ...(remaining.length > 0 && { parameters: remaining }), ...rest };
}
