// Runs the controller on your cluster until Ctrl-C.
import { manager, shutdownSignal } from "trimtab";
import { openStage } from "../stage.ts";
import { Foo, foos } from "./foo.ts";

await using stage = await openStage([Foo]);
if (stage.kubeconfig) console.log(`export KUBECONFIG=${stage.kubeconfig}`);
await manager({ controllers: [foos], client: stage.client }).run({ signal: shutdownSignal() });
