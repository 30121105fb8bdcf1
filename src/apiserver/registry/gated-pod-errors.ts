import type { NodeSelectorTerm, PodSpec } from "../../api/types/core/v1.ts";
import { equal, type FieldError, GoStruct, invalid } from "../../schema/index.ts";
import { internalForm } from "./internal-form.ts";

/** What is wrong with how the choice of nodes changes, of a Pod that waits at a gate: it can only be narrowed. */
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
  const [terms, old] = [termsOf(spec), termsOf(before)];
  if (old.length === 0) return [];
  if (terms.length !== old.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    return [invalid(requiredTerms, new GoStruct(terms.length === 0 ? null : terms.map(formOf)), detail)];
  }
  const detail = "only additions are allowed (no mutations or deletions)";
  return terms.flatMap((term, at) =>
    onlyAdds(term, old[at] ?? {})
      ? []
      : [invalid(`${requiredTerms}[${at}]`, new GoStruct(formOf(term)), detail)],
  );
}

function termsOf({ affinity }: PodSpec): readonly NodeSelectorTerm[] {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

function formOf(term: NodeSelectorTerm): object {
  return internalForm("NodeSelectorTerm", term);
}

/** A term that selected nothing stays so. */
function onlyAdds(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ["matchExpressions", "matchFields"] as const;
  const wasEmpty = lists.every((list) => (old[list] ?? []).length === 0);
  return lists.every((list) => {
    const [now, then] = [term[list] ?? [], old[list] ?? []];
    return wasEmpty ? now.length === 0 : equal(now.slice(0, then.length), then);
  });
}
