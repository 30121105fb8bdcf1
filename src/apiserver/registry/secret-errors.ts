import type { Secret } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, JsonSyntaxError, readJson, required } from "../../schema/index.ts";

/** Returns the errors if a Secret of a well-known type lacks its data. */
export function secretTypeErrors({ data = {}, metadata, type = "" }: Secret): FieldError[] {
  switch (type) {
    case "kubernetes.io/service-account-token": {
      const field = "metadata.annotations[kubernetes.io/service-account.name]";
      return metadata.annotations?.["kubernetes.io/service-account.name"] ? [] : [required(field)];
    }
    case "kubernetes.io/dockercfg":
      return jsonErrors(data, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return jsonErrors(data, ".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return data.username === undefined && data.password === undefined
        ? [required("data[username]"), required("data[password]")]
        : [];
    case "kubernetes.io/ssh-auth":
      return data["ssh-privatekey"] ? [] : [required("data[ssh-privatekey]")];
    case "kubernetes.io/tls":
      return ["tls.crt", "tls.key"]
        .filter((key) => data[key] === undefined)
        .map((key) => required(`data[${key}]`));
    default:
      return [];
  }
}

function jsonErrors(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const field = `data[${key}]`;
  if (data[key] === undefined) return [required(field)];
  try {
    readJson(Buffer.from(data[key], "base64").toString());
    return [];
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return [invalid(field, "<secret contents redacted>", error.message)];
  }
}
