import { bench } from "./benches/size.ts";
import { report, reportArguments, reportHelp } from "./harness/index.ts";

const help = `npm run size -- [--quick] [--json FILE] [--case TEXT] [--peer TEXT] [--rounds N]

${reportHelp}
${bench.summary}
`;
await report(bench, reportArguments(help));
