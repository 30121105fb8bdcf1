/** The body of a response that is known before its head is sent. A long one comes in chunks. */
export type ResponseBody = string | Buffer | readonly Buffer[];

/** The length of a body in bytes. */
export function bodyLength(body: ResponseBody): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  return Buffer.isBuffer(body) ? body.length : body.reduce((total, chunk) => total + chunk.length, 0);
}

/** The chunks of a body. A text is one chunk. */
export function bodyChunks(body: ResponseBody): readonly Buffer[] {
  if (typeof body === "string") return [Buffer.from(body)];
  return Buffer.isBuffer(body) ? [body] : body;
}

/** A body in one piece. */
export function bodyBytes(body: ResponseBody): Buffer {
  const chunks = bodyChunks(body);
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}
