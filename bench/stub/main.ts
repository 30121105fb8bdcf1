import { listen } from "./listen.ts";
import { Stub } from "./stub.ts";

/** The stub as a process: prints its URLs as one line of JSON, and exits when its input ends. */
const [pods = "10000", websites = "10000"] = process.argv.slice(2);
const { plain, secure } = await listen(new Stub({ pods: Number(pods), websites: Number(websites) }));
process.stdout.write(`${JSON.stringify({ plain, secure })}\n`);
process.stdin.on("end", () => process.exit(0)).resume();
