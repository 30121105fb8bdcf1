import { type Stage, scenario } from "./scenario.ts";

/** Defines a scenario in which the server calls webhooks of this process. */
export function hookScenario(behaviour: string, play: (stage: Stage) => Promise<void>): void {
  scenario(behaviour, play, { local: true });
}
