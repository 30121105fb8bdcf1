import {
  child,
  goSyntax,
  goTypeName,
  goValue,
  isArray,
  isObject,
  type JsonObject,
  type SchemaNode,
} from "../../schema/index.ts";
import { type FieldElement, fieldElement, printElement, printPath } from "../values/field-element.ts";
import { stepTo } from "../values/list-elements.ts";
import { shapeOf } from "../values/shape.ts";
import { requireDepth, requireNone } from "../values/typed-error.ts";

export interface CheckOptions {
  /** Controls whether elements of a set or map list may repeat, as they may in stored objects. */
  readonly duplicates: "allowed" | "refused";
}

/**
 * Throws a `TypedError` for a value that does not fit its schema: undeclared fields, wrong types, elements without
 * keys.
 */
export function checkTyped(value: unknown, node: SchemaNode, { duplicates }: CheckOptions): void {
  const check = new TypeCheck(duplicates === "allowed");
  check.visit(value, node);
  requireNone(check.problems);
}

class TypeCheck {
  readonly problems: string[] = [];
  readonly #path: FieldElement[] = [];
  readonly #duplicates: boolean;

  constructor(duplicates: boolean) {
    this.#duplicates = duplicates;
  }

  /** Checks a value. Null fits every type. */
  visit(value: unknown, node: SchemaNode): void {
    if (value === null || value === undefined) return;
    switch (shapeOf(node, value)) {
      case "object":
        return this.#visitObject(value, node);
      case "list":
        return this.#visitList(value, node);
      case "scalar":
        return this.#visitScalar(value, node);
    }
  }

  #visitObject(value: unknown, node: SchemaNode): void {
    if (!isObject(value) || !node.object) return this.#fail(`expected map, got &{${goValue(value)}}`);
    for (const key of Object.keys(value)) if (!this.#visitField(value, key, node)) return;
  }

  /** Returns true if the field is declared. Like kube-apiserver, the caller stops at the first undeclared field. */
  #visitField(value: JsonObject, key: string, node: SchemaNode): boolean {
    const element = fieldElement(key);
    const field = child(node, key);
    if (field) this.#descend(element, value[key], field);
    else this.#fail("field not declared in schema", element);
    return field !== undefined;
  }

  #visitList(value: unknown, { list }: SchemaNode): void {
    if (!isArray(value) || !list) return this.#fail(`expected list, got &{${goValue(value)}}`);
    const seen = new Set<FieldElement>();
    for (const [index, element] of value.entries()) {
      const { step, problem } = stepTo(element, index, list);
      if (step === undefined) return this.#fail(`element ${index}: ${problem}`);
      if (seen.has(step) && !this.#duplicates) this.#fail(`duplicate entries for key ${printElement(step)}`);
      seen.add(step);
      this.#descend(step, element, list.items);
    }
  }

  #visitScalar(value: unknown, { scalar }: SchemaNode): void {
    const expected = scalar === undefined ? undefined : scalarProblem(scalar, value);
    if (expected !== undefined) this.#fail(expected);
  }

  #descend(element: FieldElement, value: unknown, node: SchemaNode): void {
    if (value === null) return;
    requireDepth(this.#path.push(element));
    this.visit(value, node);
    this.#path.pop();
  }

  #fail(problem: string, ...below: readonly FieldElement[]): void {
    const path = printPath([...this.#path, ...below]);
    this.problems.push(path === "" ? problem : `${path}: ${problem}`);
  }
}

function scalarProblem(scalar: NonNullable<SchemaNode["scalar"]>, value: unknown): string | undefined {
  switch (scalar) {
    case "string":
      if (typeof value === "string") return undefined;
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case "number":
      if (typeof value === "number" || typeof value === "bigint") return undefined;
      return `expected numeric (int or float), got ${goTypeName(value)}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got &{${goValue(value)}}`;
    case "scalar":
      return isObject(value) || isArray(value) ? `expected any scalar, got &{${goValue(value)}}` : undefined;
    case "untyped":
      return undefined;
  }
}
