import { relative, sep } from "node:path";

/** Returns `file` with `~` for the home directory. */
export function displayPath(file: string, homeDir: string): string {
  const inHome = relative(homeDir, file);
  const outside = inHome === "" || inHome.startsWith("..") || inHome === file;
  return outside ? file : `~${sep}${inHome}`;
}
