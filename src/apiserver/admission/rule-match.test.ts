import { expect, test } from "vitest";
import type { RuleWithOperations } from "../../api/types/admissionregistration/v1.ts";
import { type RuleSubject, ruleMatches } from "./rule-match.ts";

const rule: RuleWithOperations = {
  operations: ["*"],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: ["pods"],
  scope: "*",
};

const pods: RuleSubject = {
  operation: "CREATE",
  resource: { group: "", version: "v1", plural: "pods" },
  subresource: "",
  namespace: "default",
};
const status: RuleSubject = { ...pods, operation: "UPDATE", subresource: "status" };
const namespaces: RuleSubject = {
  ...pods,
  resource: { group: "", version: "v1", plural: "namespaces" },
  namespace: "default",
};
const nodes: RuleSubject = {
  ...pods,
  resource: { group: "", version: "v1", plural: "nodes" },
  namespace: "",
};

test.each<[Partial<RuleWithOperations>, RuleSubject, boolean]>([
  [{}, pods, true],
  [{}, status, false],
  [{ resources: ["pods/status"] }, status, true],
  [{ resources: ["pods/status"] }, pods, false],
  [{ resources: ["pods/*"] }, pods, true],
  [{ resources: ["pods/*"] }, status, true],
  [{ resources: ["*/status"] }, status, true],
  [{ resources: ["*"] }, status, false],
  [{ resources: ["*/*"] }, status, true],
  [{ operations: ["UPDATE", "DELETE"] }, pods, false],
  [{ operations: ["UPDATE", "CREATE"] }, pods, true],
  [{ apiGroups: ["apps"] }, pods, false],
  [{ apiGroups: [""] }, pods, true],
  [{ apiVersions: ["v2"] }, pods, false],
  [{ scope: "Namespaced" }, pods, true],
  [{ scope: "Cluster" }, pods, false],
  [{ resources: ["nodes"], scope: "Cluster" }, nodes, true],
  [{ resources: ["nodes"], scope: "Namespaced" }, nodes, false],
  [{ resources: ["namespaces"], scope: "Cluster" }, namespaces, true],
  [{ resources: ["namespaces"], scope: "Namespaced" }, namespaces, false],
])("a rule with %j and the write %j match: %j", (more, subject, expected) => {
  expect(ruleMatches({ ...rule, ...more }, subject)).toBe(expected);
});
