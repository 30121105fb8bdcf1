/** The body of a buffered response. A long body is a list of chunks. */
export type ResponseBody = string | Buffer | readonly Buffer[];

/** Returns the length of a body in bytes. */
export function bodyLength(body: ResponseBody): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  return Buffer.isBuffer(body) ? body.length : body.reduce((total, chunk) => total + chunk.length, 0);
}

/** Returns the chunks of a body. A string is one chunk. */
export function bodyChunks(body: ResponseBody): readonly Buffer[] {
  if (typeof body === "string") return [Buffer.from(body)];
  return Buffer.isBuffer(body) ? [body] : body;
}

/** Returns a body as one buffer. */
export function bodyBytes(body: ResponseBody): Buffer {
  const chunks = bodyChunks(body);
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}
