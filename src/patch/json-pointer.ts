/**
 * The keys on the way to where a step of a JSON patch points, or nothing where it points nowhere: a path needs a slash.
 * What stands before the first one does not count.
 */
export function pointerKeys(path: string): readonly string[] | undefined {
  const [, ...keys] = path.split("/");
  return keys.length > 0 ? keys.map(unescaped) : undefined;
}

function unescaped(key: string): string {
  return key.replace(/~[01]/g, (code) => (code === "~1" ? "/" : "~"));
}
