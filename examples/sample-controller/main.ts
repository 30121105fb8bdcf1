// The controller of Foos in the parts that client-go's sample controller has.
import { Foo } from "../foo/foo.ts";
import { goOn, tour } from "../foo/tour.ts";
import { perform } from "../perform.ts";
import { run } from "./run.ts";

await perform({ title: "The sample controller", kinds: [Foo], run, tour, kubectl: goOn });
