// Runs the controller of ReplicaSets until Ctrl-C. A real cluster already has one.
import { managed, perform } from "../perform.ts";
import { replicaSets } from "./replicaset.ts";
import { goOn, tour } from "./tour.ts";

await perform({ title: "A controller of ReplicaSets", run: managed([replicaSets]), tour, kubectl: goOn });
