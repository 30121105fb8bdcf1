import type { KubeObject } from "../../api/index.ts";
import type { CustomResourceSubresourceScale } from "../../api/types/apiextensions/v1.ts";
import { type FieldError, goTypeName, goValue, invalid } from "../../schema/index.ts";
import { simplePath } from "./field-text.ts";

type Scale = CustomResourceSubresourceScale;

/** Returns an error if the desired number of replicas cannot be read. */
export function scaleSpecErrors(object: KubeObject, { specReplicasPath }: Scale): FieldError[] {
  return replicasErrors(object, specReplicasPath);
}

/** Returns the errors if the observed number of replicas or its selector cannot be read. */
export function scaleStatusErrors(
  object: KubeObject,
  { statusReplicasPath, labelSelectorPath }: Scale,
): FieldError[] {
  return [
    ...replicasErrors(object, statusReplicasPath),
    ...(labelSelectorPath ? selectorErrors(object, labelSelectorPath) : []),
  ];
}

const maxReplicas = 2_147_483_647;

function replicasErrors(object: KubeObject, path: string): FieldError[] {
  const { found, problem } = readPath(object, path, int64);
  if (problem !== undefined) return [invalid(path, 0, problem)];
  const replicas = Number(found ?? 0);
  if (replicas < 0) return [invalid(path, found, "should be a non-negative integer")];
  if (replicas <= maxReplicas) return [];
  return [invalid(path, found, `should be less than or equal to ${maxReplicas}`)];
}

function selectorErrors(object: KubeObject, path: string): FieldError[] {
  const { problem } = readPath(object, path, text);
  return problem === undefined ? [] : [invalid(path, "", problem)];
}

function isInteger(value: unknown): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

interface ExpectedType {
  /** The name of the type in Go. */
  readonly type: string;
  matches(value: unknown): boolean;
}

const int64: ExpectedType = { type: "int64", matches: isInteger };
const text: ExpectedType = { type: "string", matches: (value) => typeof value === "string" };

interface ReadValue {
  readonly found?: unknown;
  readonly problem?: string;
}

/**
 * Returns the value at a path, or Go's message if a value on the path has another type. A missing value is no error.
 */
function readPath(object: unknown, path: string, { type, matches }: ExpectedType): ReadValue {
  const traversed: string[] = [];
  let found = object;
  for (const field of simplePath(path)) {
    if (found === undefined || found === null) return {};
    traversed.push(field);
    if (typeof found !== "object" || Array.isArray(found))
      return { problem: typeProblem(traversed, found, "map[string]interface{}") };
    found = Object.hasOwn(found, field) ? Reflect.get(found, field) : undefined;
  }
  if (found === undefined) return {};
  return matches(found) ? { found } : { problem: typeProblem(traversed, found, type) };
}

function typeProblem(path: readonly string[], value: unknown, expected: string): string {
  return `.${path.join(".")} accessor error: ${goValue(value)} is of the type ${goTypeName(value)}, expected ${expected}`;
}
