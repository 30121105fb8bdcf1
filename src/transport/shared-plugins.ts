import { type Clock, realClock } from "../base/index.ts";
import { ExecPlugin, type ExecPluginOptions } from "./exec-plugin.ts";

export interface SharedPluginOptions extends ExecPluginOptions {
  /** Equal for clusters that the plugin would be told the same about. */
  readonly clusterKey: unknown;
}

/** Plugins by what they are asked with, for each clock. */
const plugins = new WeakMap<Clock, Map<string, ExecPlugin>>();

/**
 * The plugin for these options: one object for equal ones, so that several configurations of one
 * user run it once between them.
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
  const { place: _, ...asked } = section;
  return JSON.stringify([
    asked,
    section.provideClusterInfo ? clusterKey : undefined,
    env === process.env ? undefined : env,
  ]);
}
