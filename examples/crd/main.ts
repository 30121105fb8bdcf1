// Runs the controller of ChaosPods and their webhook until Ctrl-C.
import { managed, perform } from "../perform.ts";
import { chaosPodAdmission } from "./admission.ts";
import { ChaosPod, chaosPods } from "./chaos-pod.ts";
import { goOn, tour } from "./tour.ts";

const run = managed([chaosPods()], [chaosPodAdmission()]);
await perform({
  title: "A controller of ChaosPods with a webhook",
  kinds: [ChaosPod],
  run,
  tour,
  kubectl: goOn,
});
