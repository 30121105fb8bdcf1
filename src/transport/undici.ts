import type * as undici from "undici";
import ConnectorBuilder from "undici/lib/core/connect.js";
import UndiciClient from "undici/lib/dispatcher/client.js";
import UndiciPool from "undici/lib/dispatcher/pool.js";

/**
 * The three parts of undici that requests go through, without the rest of it: fetch, caches, mocks and agents are two
 * thirds of the time that undici takes to load, and loading them puts an agent of theirs behind Node's own `fetch`.
 *
 * undici does not promise these paths from one minor version to the next, so the package asks for one minor version, and a test
 * holds them against what undici exports.
 */
export const buildConnector: typeof undici.buildConnector = ConnectorBuilder;
export const Client: typeof undici.Client = UndiciClient;
export const Pool: typeof undici.Pool = UndiciPool;
