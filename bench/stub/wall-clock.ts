/**
 * Microseconds since 1970, comparable between processes of one machine to a few microseconds.
 *
 * A process learns the time of day in microseconds once, at its start, and the two clocks drift apart after that. So one
 * is made when it is needed: it waits for the next millisecond to begin, which takes a millisecond at most.
 */
export function wallClock(): () => number {
  const before = Date.now();
  let millisecond = before;
  while (millisecond === before) millisecond = Date.now();
  const offset = millisecond - performance.now();
  return () => Math.round((performance.now() + offset) * 1000);
}
