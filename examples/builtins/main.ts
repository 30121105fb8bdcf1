// Runs the controller of built-in kinds until Ctrl-C. It labels every ReplicaSet of the cluster.
import { managed, perform } from "../perform.ts";
import { greetings } from "./builtins.ts";
import { goOn, tour } from "./tour.ts";

await perform({ title: "A controller of ReplicaSets", run: managed([greetings]), tour, kubectl: goOn });
