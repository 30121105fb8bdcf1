import type { NodeSelectorTerm, PodSpec } from "../../api/types/core/v1.ts";
import { equal, type FieldError, GoStruct, invalid } from "../../schema/index.ts";
import { internalForm } from "./internal-form.ts";

/** Returns the errors for changes of the node selection of a Pod with scheduling gates. It can only become narrower. */
export function gatedPodErrors(spec: PodSpec, before: PodSpec): FieldError[] {
  return [...selectorErrors(spec.nodeSelector ?? {}, before.nodeSelector ?? {}), ...termErrors(spec, before)];
}

type Labels = Readonly<Record<string, string>>;

function selectorErrors(labels: Labels, before: Labels): FieldError[] {
  if (Object.entries(before).every(([key, value]) => labels[key] === value)) return [];
  const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [invalid("spec.nodeSelector", labels, detail)];
}

const requiredTerms =
  "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

function termErrors(spec: PodSpec, before: PodSpec): FieldError[] {
  const [terms, oldTerms] = [termsOf(spec), termsOf(before)];
  if (oldTerms.length === 0) return [];
  if (terms.length !== oldTerms.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    return [
      invalid(requiredTerms, new GoStruct(terms.length === 0 ? null : terms.map(internalTerm)), detail),
    ];
  }
  const detail = "only additions are allowed (no mutations or deletions)";
  return terms.flatMap((term, index) =>
    isNarrowed(term, oldTerms[index] ?? {})
      ? []
      : [invalid(`${requiredTerms}[${index}]`, new GoStruct(internalTerm(term)), detail)],
  );
}

function termsOf({ affinity }: PodSpec): readonly NodeSelectorTerm[] {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

function internalTerm(term: NodeSelectorTerm): object {
  return internalForm("NodeSelectorTerm", term);
}

/** Returns true if only expressions were added. An empty term, which selects nothing, must stay empty. */
function isNarrowed(term: NodeSelectorTerm, oldTerm: NodeSelectorTerm): boolean {
  const lists = ["matchExpressions", "matchFields"] as const;
  const wasEmpty = lists.every((list) => (oldTerm[list] ?? []).length === 0);
  return lists.every((list) => {
    const [current, previous] = [term[list] ?? [], oldTerm[list] ?? []];
    return wasEmpty ? current.length === 0 : equal(current.slice(0, previous.length), previous);
  });
}
