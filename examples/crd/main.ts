// Runs the controller of ChaosPods until Ctrl-C.
import { managed, perform } from "../perform.ts";
import { ChaosPod, chaosPods } from "./chaos-pod.ts";
import { goOn, tour } from "./tour.ts";

const run = managed([chaosPods()]);
await perform({ title: "A controller of ChaosPods", kinds: [ChaosPod], run, tour, kubectl: goOn });
