import { manager, shutdownSignal } from "trimtab";
import { websites } from "./website.ts";

await manager({ controllers: [websites] }).run({ signal: shutdownSignal() });
