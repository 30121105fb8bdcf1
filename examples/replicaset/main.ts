// The controller of ReplicaSets, until Ctrl-C. A cluster of your own has a better one already.
import { managed, perform } from "../perform.ts";
import { replicaSets } from "./replicaset.ts";
import { goOn, tour } from "./tour.ts";

await perform({ title: "A controller of ReplicaSets", run: managed([replicaSets]), tour, kubectl: goOn });
