/** The complete Status of a bad request, as the server sends it. */
export function badRequest(message: string): object {
  return { ...refused(400, "BadRequest", message), metadata: {} };
}

/** A failure Status without the optional details. */
export function refused(code: number, reason: string | undefined, message: string): object {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", message, code };
  return reason === undefined ? status : { ...status, reason };
}
