import { inspect } from "node:util";
import { type Limiter, perKeyBackoff } from "../queue/index.ts";

/**
 * Returns a limiter that does not throw. If the user's limiter throws, or returns a delay that is not a finite number
 * of at least 0, the key gets the default backoff.
 *
 * @param onError Called with the error of the limiter.
 */
export function guardedLimiter(limiter: Limiter, onError: (error: unknown) => void): Limiter {
  const fallback = perKeyBackoff();
  const guard = <R>(call: () => R, otherwise: () => R): R => {
    try {
      return call();
    } catch (error) {
      onError(error);
      return otherwise();
    }
  };
  return {
    delayMs: (key) =>
      guard(
        () => checked(limiter.delayMs(key)),
        () => fallback.delayMs(key),
      ),
    forget(key) {
      fallback.forget(key);
      guard(
        () => limiter.forget(key),
        () => {},
      );
    },
    retries: (key) =>
      guard(
        () => limiter.retries(key),
        () => fallback.retries(key),
      ),
  };
}

function checked(delayMs: unknown): number {
  if (typeof delayMs === "number" && delayMs >= 0 && delayMs < Number.POSITIVE_INFINITY) return delayMs;
  throw new TypeError(
    `expected delayMs of the limiter to return milliseconds of at least 0, got ${inspect(delayMs)}`,
  );
}
