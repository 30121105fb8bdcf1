import { controlledBy, type Frozen, type New, type Owner } from "../../api/index.ts";
import type { Pod, PodTemplateSpec } from "../../api/types/core/v1.ts";

/** Returns a Pod of the template that `owner` controls. The server completes its name: `<owner>-x7k2p`. */
export function newPod(template: Frozen<PodTemplateSpec>, owner: Owner): New<Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const { name, namespace } = owner.metadata;
  const metadata = {
    generateName: `${name}-`,
    namespace,
    labels: { ...labels },
    annotations: { ...annotations },
    finalizers: finalizers && [...finalizers],
    ownerReferences: [controlledBy(owner)],
  };
  return { metadata, spec: structuredClone(template.spec) as Pod["spec"] }; // a clone may be changed
}
