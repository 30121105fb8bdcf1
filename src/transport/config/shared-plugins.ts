import { type Clock, realClock } from "../../base/index.ts";
import { ExecPlugin, type ExecPluginOptions } from "./exec-plugin.ts";

export interface SharedPluginOptions extends ExecPluginOptions {
  /** Equal for clusters that the plugin cannot distinguish. */
  readonly clusterKey: unknown;
}

/** Plugins by their input, for each clock. */
const plugins = new WeakMap<Clock, Map<string, ExecPlugin>>();

/**
 * Returns the plugin for these options: the same object for equal options, so that several configurations of one user
 * share its runs.
 */
export function sharedPlugin(options: SharedPluginOptions): ExecPlugin {
  const { clock = realClock } = options;
  const known = plugins.get(clock) ?? new Map<string, ExecPlugin>();
  plugins.set(clock, known);
  const key = keyOf(options);
  const plugin = known.get(key) ?? new ExecPlugin(options);
  known.set(key, plugin);
  return plugin;
}

function keyOf({ section, clusterKey, env }: SharedPluginOptions): string {
  const { place: _, ...settings } = section;
  return JSON.stringify([
    settings,
    section.provideClusterInfo ? clusterKey : undefined,
    env === process.env ? undefined : env,
  ]);
}
