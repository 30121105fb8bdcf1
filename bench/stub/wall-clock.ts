/**
 * Microseconds since 1970, comparable between processes of one machine to a few microseconds.
 *
 * A process learns the time of day in microseconds once, at its start, and the two clocks drift apart after that. So one
 * is made when it is needed: it waits for milliseconds to begin. Whoever is held up just then sees one begin too late, and
 * would be behind for good: of several, the one that was seen soonest counts.
 */
export function wallClock(): () => number {
  const offset = Math.max(...Array.from({ length: 8 }, offsetNow));
  return () => Math.round((performance.now() + offset) * 1000);
}

/** How far the time of day is ahead, or less by as much as the beginning of a millisecond was seen too late. */
function offsetNow(): number {
  const before = Date.now();
  let millisecond = before;
  while (millisecond === before) millisecond = Date.now();
  return millisecond - performance.now();
}
