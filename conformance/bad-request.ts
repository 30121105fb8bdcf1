/** The whole Status of a request that makes no sense, as a server sends it. */
export function badRequest(message: string): object {
  return { ...refused(400, "BadRequest", message), metadata: {} };
}

/** A Status that refuses, without the details some have. */
export function refused(code: number, reason: string | undefined, message: string): object {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", message, code };
  return reason === undefined ? status : { ...status, reason };
}
