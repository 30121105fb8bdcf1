import { bench } from "./benches/size.ts";
import { report, reportArguments } from "./harness/index.ts";

/** `npm run size [-- --quick] [--json FILE]` */
await report(bench, reportArguments(process.argv.slice(2)));
