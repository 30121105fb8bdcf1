const terminalEveryMs = 500;
const logEveryMs = 30_000;

/**
 * Runs `work` while it prints progress and elapsed time to stderr: on one line of a terminal, or at intervals in a log.
 */
export async function withProgress<T>(describe: () => string, work: () => Promise<T>): Promise<T> {
  const terminal = process.stderr.isTTY === true;
  const startMs = performance.now();
  const show = (): void => {
    const line = `${describe()}, ${Math.round((performance.now() - startMs) / 1_000)} s`;
    process.stderr.write(terminal ? `\r\x1b[K${line}` : `${line}\n`);
  };
  show();
  const timer = setInterval(show, terminal ? terminalEveryMs : logEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    show();
    if (terminal) process.stderr.write("\n");
  }
}
