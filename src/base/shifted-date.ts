/**
 * Runs `run` while `Date` is `shiftMs` ahead, and returns its result. It is for finding out whether code of a user depends
 * on the time. `run` is synchronous, so no other code sees the shifted time. Code that kept its own reference to `Date`
 * is not affected.
 */
export function withShiftedDate<T>(shiftMs: number, run: () => T): T {
  const Unshifted = globalThis.Date;
  globalThis.Date = new Proxy(Unshifted, {
    construct: (target, args: ConstructorParameters<DateConstructor>) =>
      args.length > 0 ? new target(...args) : new target(target.now() + shiftMs),
    apply: (target) => new target(target.now() + shiftMs).toString(),
    get: (target, name) =>
      name === "now" ? () => target.now() + shiftMs : (Reflect.get(target, name) as unknown),
  });
  try {
    return run();
  } finally {
    globalThis.Date = Unshifted;
  }
}
