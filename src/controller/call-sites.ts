import { placeOf } from "../base/index.ts";

/**
 * Records the places in a program from which the reconciles of one controller call their client, for error messages.
 *
 * Finding the place of a call takes about 15 us, so only some calls of each kind (such as "patch Pod") are sampled: the
 * first 50, and later one in 256. Other calls are assumed to come from one of the recorded places.
 */
export class CallSites {
  readonly #seen = new Map<string, SeenCalls>();

  /**
   * Counts a call, and records its place if it is sampled.
   *
   * @param call Calls of the same name are assumed to come from the same places.
   * @param method The method that was called. The place is where its caller is.
   * @returns the place of this call if it is sampled, otherwise every recorded place of such calls
   */
  note(call: string, method: Method): ReadonlySet<string> {
    const seen = this.#seenOf(call);
    seen.count += 1;
    if (seen.count > alwaysFor && seen.count % sampleEvery !== 0) return seen.places;
    const place = callerOf(method);
    if (place === undefined) return seen.places;
    if (seen.places.size < maxPlaces) seen.places.add(place);
    return new Set([place]);
  }

  #seenOf(call: string): SeenCalls {
    let seen = this.#seen.get(call);
    if (!seen) {
      seen = { count: 0, places: new Set() };
      this.#seen.set(call, seen);
    }
    return seen;
  }
}

export type Method = (...args: never[]) => unknown;

interface SeenCalls {
  count: number;
  readonly places: Set<string>;
}

const alwaysFor = 50;
const sampleEvery = 256;
const maxPlaces = 10;

/**
 * Returns the place of the method's caller. Never throws: a program may have replaced `Error.prepareStackTrace`, or
 * frozen `Error`.
 */
function callerOf(method: Method): string | undefined {
  const { stackTraceLimit } = Error;
  try {
    const site: Pick<Error, "stack"> = {};
    Error.stackTraceLimit = maxFrames;
    Error.captureStackTrace(site, method);
    return placeOf(site);
  } catch {
    return undefined; // the error is reported without the place
  } finally {
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  }
}

/** Packages may call the client for a reconcile, so the first frame is not always the program's own. */
const maxFrames = 5;
