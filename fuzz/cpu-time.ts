/**
 * Starts a stopwatch of this process's CPU time, without other processes of the machine. @returns milliseconds so far
 */
export function cpuStopwatch(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}

/** The CPU time that reading a small document of this many bytes may take, with room for a garbage collection. */
export function readLimitMs(bytes: number): number {
  return 1000 + bytes * 0.05;
}
