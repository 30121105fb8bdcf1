import { Pod } from "../../api/types/core/v1.ts";
import { type Index, index } from "../../controller/index.ts";

/** The Pods by the name of their node. */
export const podsByNode: Index<Pod, string> = index(Pod, ({ spec }) =>
  spec.nodeName ? [spec.nodeName] : [],
);
