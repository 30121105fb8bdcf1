import { type LabelProblem, labelKeyProblem, labelValueProblem } from "../api/index.ts";
import type { DeclaredKind } from "./definition.ts";
import type { Problem } from "./place.ts";

/** A version by its name, and the option that names it. */
export interface NamedVersion {
  readonly field: string;
  readonly name: string;
}

/** Returns the names, labels and annotations of a kind that an API server would refuse. Names are parts of paths. */
export function nameProblems(declared: DeclaredKind, versions: readonly NamedVersion[]): Problem[] {
  const { group, kind, plural, shortNames = [], categories = [] } = declared;
  return [
    ...groupProblems(declared),
    ...versions.flatMap(({ field, name }) => labelProblems(field, name, `${lower} v1`)),
    ...kindProblems(kind),
    ...labelProblems("plural", plural, `${lower} websites`),
    ...nameLengthProblems(`${plural}.${group}`),
    ...shortNames.flatMap((name, index) => labelProblems(`shortNames[${index}]`, name, `${lower} ws`)),
    ...categories.flatMap((name, index) => labelProblems(`categories[${index}]`, name, `${lower} all`)),
    ...metadataProblems(declared),
  ];
}

const lower = "lower case letters and digits, such as";

function groupProblems({ group, annotations = {} }: DeclaredKind): Problem[] {
  if (!isDomain(group))
    return [problem("group", group, "a domain with at least one dot, such as example.dev")];
  const approval = annotations["api-approved.kubernetes.io"];
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group) || isApproval(approval)) return [];
  const expected =
    'a group of your own, or the annotation api-approved.kubernetes.io with a URL or "unapproved, …"';
  return [problem("group", group, expected)];
}

function isApproval(annotation = ""): boolean {
  return annotation.startsWith("unapproved") || (URL.canParse(annotation) && new URL(annotation).host !== "");
}

/** The kind of lists is the kind with the suffix `List`, and both are labels. */
function kindProblems(kind: string): Problem[] {
  if (!isLabel(kind.toLowerCase())) return [problem("kind", kind, "letters and digits, such as Website")];
  return isLabel(`${kind.toLowerCase()}list`) ? [] : [problem("kind", kind, "at most 59 characters")];
}

function nameLengthProblems(name: string): Problem[] {
  if (name.length <= 253) return [];
  return [problem("plural", name, "at most 253 characters of plural and group")];
}

function labelProblems(field: string, name: string, expected: string): Problem[] {
  return isLabel(name) ? [] : [problem(field, name, expected)];
}

function metadataProblems({ labels = {}, annotations = {} }: DeclaredKind): Problem[] {
  return [
    ...Object.entries(labels).flatMap(([key, value]) => [
      ...faultProblems("labels", key, labelKeyProblem(key)),
      ...faultProblems(`labels[${key}]`, value, labelValueProblem(value)),
    ]),
    // Like the server, keys of annotations are checked in lower case.
    ...Object.keys(annotations).flatMap((key) =>
      faultProblems("annotations", key, labelKeyProblem(key.toLowerCase())),
    ),
  ];
}

function faultProblems(field: string, text: string, fault: LabelProblem | undefined): Problem[] {
  if (!fault) return [];
  const { expected, got, at } = fault;
  return [
    { field, reason: `expected ${expected} at character ${at} of ${JSON.stringify(text)}, got ${got}` },
  ];
}

function problem(field: string, got: string, expected: string): Problem {
  return { field, reason: `expected ${expected}, got ${JSON.stringify(got)}` };
}

/** Returns true for an RFC 1035 label in lower case. */
function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(text);
}

/** Returns true for at least two RFC 1123 labels. */
function isDomain(text: string): boolean {
  const labels = text.split(".");
  return (
    text.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(label))
  );
}
