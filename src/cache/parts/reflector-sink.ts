import type { KubeObject } from "../../api/index.ts";

/**
 * Receives what a reflector lists and watches, in order: a `DeltaFifo`, an `Indexer`, or one of your own.
 *
 * The methods are synchronous. If one throws, the reflector logs the error, backs off, and lists again, so that nothing
 * is lost. The sink owns the objects, which are parsed as they are read.
 */
export interface ReflectorSink<T extends KubeObject> {
  add(object: T): void;
  update(object: T): void;
  /** @param object the last version, as the server sent it with the delete */
  delete(object: T): void;
  /** Receives a complete list of the collection at this resource version. Objects that are not in it do not exist. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /** Everything up to this resource version has been received. */
  bookmark?(resourceVersion: string): void;
  /** Called at the interval `resyncMs` of the reflector, between changes. */
  resync?(): void;
  /**
   * Returns the version of an object that the sink has. If the server sends an undecodable version, the reflector keeps
   * this one in lists. Without this method, undecodable objects are missing from lists.
   */
  get?(key: string): T | undefined;
  /** Number of changes that wait in the sink. Above 1,000, the reflector stops reading. @default 0 */
  readonly backlog?: number | undefined;
  /** Calls `run` once, when nothing waits in the sink. Needed if there is a `backlog`. */
  whenDrained?(run: () => void): void;
}
