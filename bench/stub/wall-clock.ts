/**
 * Microseconds since 1970, comparable between processes of one machine to a few microseconds.
 * A process reads the time of day in microseconds only at its start, and the clocks drift apart later. So a clock is
 * calibrated when it is needed: it waits for the start of several milliseconds. If the process is delayed at one of
 * them, it sees that start too late, so the earliest counts.
 */
export function wallClock(): () => number {
  const offset = Math.max(...Array.from({ length: 8 }, offsetNow));
  return () => Math.round((performance.now() + offset) * 1000);
}

/** Returns the offset of the time of day, or less if the start of the millisecond was seen too late. */
function offsetNow(): number {
  const before = Date.now();
  let millisecond = before;
  while (millisecond === before) millisecond = Date.now();
  return millisecond - performance.now();
}
