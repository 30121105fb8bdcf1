/** Returns the keys of a JSON pointer, or `undefined` if it has no slash. Ignores the text before the first slash. */
export function pointerKeys(path: string): readonly string[] | undefined {
  const [, ...keys] = path.split("/");
  return keys.length > 0 ? keys.map(unescaped) : undefined;
}

function unescaped(key: string): string {
  return key.replace(/~[01]/g, (code) => (code === "~1" ? "/" : "~"));
}
