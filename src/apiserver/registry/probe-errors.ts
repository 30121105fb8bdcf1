import type { LifecycleHandler, Probe } from "../../api/types/core/v1.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../schema/index.ts";
import { portNumberErrors } from "./field-choices.ts";
import { portNameErrors } from "./port-name-errors.ts";
import { countErrors } from "./value-errors.ts";

type Handler = Pick<Probe, "exec" | "httpGet" | "tcpSocket" | "grpc"> & Pick<LifecycleHandler, "sleep">;

const counts = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
] as const;

/** Returns the errors in a probe. `success` is `once` if its successThreshold must be 1. */
export function probeErrors(
  probe: Probe | undefined,
  field: string,
  success: "once" | "often",
): FieldError[] {
  if (!probe) return [];
  const { successThreshold = 1 } = probe;
  return [
    ...handlerErrors(probe, field),
    ...counts.flatMap((name) => countErrors(probe[name], `${field}.${name}`)),
    ...(success === "once" && successThreshold !== 1
      ? [invalid(`${field}.successThreshold`, successThreshold, "must be 1")]
      : []),
  ];
}

/** Returns the errors in a handler. It must have exactly one complete action. */
export function handlerErrors(handler: Handler, field: string): FieldError[] {
  const actions = (["exec", "httpGet", "tcpSocket", "grpc", "sleep"] as const).filter(
    (name) => handler[name],
  );
  const [, ...others] = actions;
  return [
    ...(actions.length === 0 ? [required(field, "must specify a handler type")] : []),
    ...(actions[0] ? actionErrors(handler, actions[0], field) : []),
    ...others.map((name) => forbidden(`${field}.${name}`, "may not specify more than 1 handler type")),
  ];
}

function actionErrors(
  { exec, httpGet, tcpSocket, grpc }: Handler,
  name: string,
  field: string,
): FieldError[] {
  if (name === "exec") return exec?.command?.length ? [] : [required(`${field}.exec.command`)];
  if (name === "httpGet" && httpGet) return httpErrors(httpGet, `${field}.httpGet`);
  if (name === "tcpSocket") return portErrors(tcpSocket?.port, `${field}.tcpSocket.port`);
  if (name === "grpc") return portErrors(grpc?.port, `${field}.grpc.port`);
  return [];
}

const schemes = ["HTTP", "HTTPS"];

function httpErrors({ path, port, scheme }: NonNullable<Probe["httpGet"]>, field: string): FieldError[] {
  return [
    ...(path ? [] : [required(`${field}.path`)]),
    ...portErrors(port, `${field}.port`),
    ...(schemes.includes(scheme ?? "") ? [] : [notSupported(`${field}.scheme`, scheme, schemes)]),
  ];
}

function portErrors(port: number | string | undefined, field: string): FieldError[] {
  return typeof port === "string" ? portNameErrors(port, field) : portNumberErrors(port ?? 0, field);
}
