// The README's controller, until Ctrl-C.
import { managed, perform } from "../perform.ts";
import { goOn, tour } from "./tour.ts";
import { Website, websites } from "./website.ts";

const run = managed([websites]);
await perform({ title: "A controller of Websites", kinds: [Website], run, tour, kubectl: goOn });
