// Runs the controller until Ctrl-C, on a server of its own or on your cluster.
import { manager, shutdownSignal } from "trimtab";
import { openStage } from "../stage.ts";
import { Website, websites } from "./website.ts";

await using stage = await openStage([Website]);
if (stage.kubeconfig) console.log(`export KUBECONFIG=${stage.kubeconfig}`);
await manager({ controllers: [websites], client: stage.client }).run({ signal: shutdownSignal() });
