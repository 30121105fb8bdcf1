// Runs the controller of Foos, structured as client-go's sample-controller.
import { Foo } from "../foo/foo.ts";
import { goOn, tour } from "../foo/tour.ts";
import { perform } from "../perform.ts";
import { run } from "./run.ts";

await perform({ title: "The sample controller", kinds: [Foo], run, tour, kubectl: goOn });
