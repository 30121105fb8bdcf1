// Runs the controller of Foos. `npm start` runs this program.
import { managed, perform } from "../perform.ts";
import { Foo, foos } from "./foo.ts";
import { goOn, tour } from "./tour.ts";

await perform({ title: "A controller of Foos", kinds: [Foo], run: managed([foos]), tour, kubectl: goOn });
