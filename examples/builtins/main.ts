// The controller of built-in kinds, until Ctrl-C. Every ReplicaSet of a cluster of yours gets a label.
import { managed, perform } from "../perform.ts";
import { greetings } from "./builtins.ts";
import { goOn, tour } from "./tour.ts";

await perform({ title: "A controller of ReplicaSets", run: managed([greetings]), tour, kubectl: goOn });
