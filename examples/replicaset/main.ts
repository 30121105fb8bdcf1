// Runs the controller until Ctrl-C. A cluster of your own has a better one for ReplicaSets already.
import { manager, shutdownSignal } from "trimtab";
import { openStage } from "../stage.ts";
import { replicaSets } from "./replicaset.ts";

await using stage = await openStage();
if (stage.kubeconfig) console.log(`export KUBECONFIG=${stage.kubeconfig}`);
await manager({ controllers: [replicaSets], client: stage.client }).run({ signal: shutdownSignal() });
