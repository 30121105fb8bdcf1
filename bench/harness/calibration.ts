/**
 * Returns the processor time of a fixed loop in milliseconds, the minimum of five runs: the current JavaScript speed of
 * the machine.
 * The same machine may be a third slower a minute later. The time distinguishes a slow machine from slow code. No bound
 * is adjusted by it, because the loop does not measure memory or network.
 */
export function calibrate(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    fixedLoop();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** Integer arithmetic, strings, maps and JSON: a mix of a controller's work. */
function fixedLoop(): number {
  const counts = new Map<string, number>();
  let bits = 1;
  for (let index = 0; index < 200_000; index++) {
    bits = (Math.imul(bits, 1_103_515_245) + 12_345) >>> 0;
    const key = `default/pod-${bits % 5000}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (let index = 0; index < 100; index++) JSON.parse(JSON.stringify([...counts]));
  return bits;
}
