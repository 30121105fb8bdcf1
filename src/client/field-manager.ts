/**
 * Throws unless the value is a field manager that the API server accepts.
 * @param what names the value in the error: `fieldManager`
 */
export function checkFieldManager(what: string, value: string): void {
  const problem = fieldManagerProblem(value);
  if (problem !== undefined) {
    throw new TypeError(`expected ${what} to have 1 to ${maxBytes} printable characters, got ${problem}`);
  }
}

function fieldManagerProblem(value: string): string | undefined {
  if (typeof value !== "string") return String(value);
  if (value.trim() === "") return "an empty name";
  const bytes = Buffer.byteLength(value);
  if (bytes > maxBytes) return `${bytes} bytes`;
  const at = value.search(/[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/u);
  return at < 0 ? undefined : `${JSON.stringify(value)} with an unprintable character at ${at}`;
}

/** The limit of the API server, in bytes. */
const maxBytes = 128;
