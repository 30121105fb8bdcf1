import { expect, test } from "vitest";
import { typedSchema } from "../structure/typed-schema.ts";
import { conversionProblem } from "./conversion-problem.ts";

const deployment = typedSchema({ group: "apps", version: "v1", kind: "Deployment" });

function problem(value: unknown): string | undefined {
  if (!deployment) throw new Error("expected a schema of Deployment, got none");
  return conversionProblem(value, deployment);
}

test("a fitting value and an unknown field have no problem", () => {
  const spec = {
    replicas: 3,
    paused: false,
    selector: { matchLabels: { a: "b" } },
    template: null,
    other: [],
  };
  expect(problem({ metadata: { finalizers: ["a"], creationTimestamp: null }, spec })).toBeUndefined();
});

test.each([
  [{ spec: { replicas: "many" } }, "unrecognized type: int32"],
  [{ spec: { replicas: 1.5 } }, "cannot convert float64 to int32"],
  [{ spec: { replicas: [1] } }, "unrecognized type: int32"],
  [{ spec: { paused: 1 } }, "unrecognized type: bool"],
  [{ metadata: { labels: { a: 1 } } }, "cannot convert int64 to string"],
  [{ metadata: { labels: { a: 1.5 } } }, "unrecognized type: string"],
  [{ metadata: { labels: [1] } }, "cannot restore map from slice"],
  [{ metadata: { finalizers: "x" } }, "cannot restore slice from string"],
  [{ metadata: { finalizers: { a: 1 } } }, "cannot restore slice from map"],
  [{ spec: [1] }, "cannot restore struct from: slice"],
  [{ metadata: { creationTimestamp: 1 } }, "json: cannot unmarshal number into Go value of type string"],
  [
    { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
    "json: cannot unmarshal bool into Go value of type int32",
  ],
])("%j is refused with the message of Go's converter", (value, text) => {
  expect(problem(value)).toBe(text);
});

test("bytes are converted only from a string", () => {
  const map = typedSchema({ group: "", version: "v1", kind: "ConfigMap" });
  if (!map) throw new Error("expected a schema of ConfigMap, got none");
  const bytes = (bin: unknown) => conversionProblem({ binaryData: { bin } }, map);
  expect([bytes("AA=="), bytes(1), bytes(true)]).toEqual([
    undefined,
    "cannot restore slice from int64",
    "cannot restore slice from bool",
  ]);
});
