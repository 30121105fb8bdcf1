// Property tests use the same cases in every run, so that a failure means a change. FC_SEED=<number> npm test uses
// others.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_116) });
