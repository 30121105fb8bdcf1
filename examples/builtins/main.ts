// Runs the controller of built-in kinds until Ctrl-C. It labels every ReplicaSet of the cluster, and annotates every
// new Pod.
import { managed, perform } from "../perform.ts";
import { greetings } from "./builtins.ts";
import { podAnnotator, podValidator } from "./pod-webhooks.ts";
import { goOn, tour } from "./tour.ts";

const run = managed([greetings], [podAnnotator, podValidator]);
await perform({ title: "A controller of ReplicaSets with webhooks for Pods", run, tour, kubectl: goOn });
