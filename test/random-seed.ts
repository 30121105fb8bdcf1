// Property tests draw the same cases in every run, so that a red run means a change. Others: FC_SEED=<number> npm test
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_116) });
