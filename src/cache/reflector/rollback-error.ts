/**
 * The server contradicts what it has sent before: resource versions went back, or one version has two contents. The
 * cause is a storage that was restored from a backup, or a server bug. Only a new consistent list shows the current
 * state.
 */
export class RollbackError extends Error {
  override readonly name: string = "RollbackError";
}
