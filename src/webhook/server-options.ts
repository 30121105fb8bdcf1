import type { CertificateFilesOptions, GivenCertificateOptions } from "../serving/index.ts";

/** Options of the server of admission and conversion webhooks. */
export interface WebhookServerOptions {
  /** 0 for any free port. @default 9443 */
  readonly port?: number | undefined;
  /** @default all addresses */
  readonly host?: string | undefined;
  /** The Service that routes to this server. API servers call it under `<name>.<namespace>.svc`. */
  readonly service?: WebhookService | undefined;
  /**
   * The address at which API servers reach this server, instead of a Service. Port 0 stands for the port of the server.
   */
  readonly url?: string | undefined;
  /**
   * The source of the certificate. "managed": a Secret in the namespace of the Service, which all replicas share and
   * which is renewed in time. Files are read again when they change. @default "managed"
   */
  readonly certificates?: "managed" | CertificateFilesOptions | GivenCertificateOptions | undefined;
  /**
   * "managed" writes the webhook configurations and the conversion of CustomResourceDefinitions by server-side apply,
   * and repairs them. "temporary" does the same, and removes them at the end. "bundle" only sets `caBundle` in objects
   * that a manifest has created. "none" leaves all of it to other programs. @default "managed"
   */
  readonly registration?: "managed" | "temporary" | "bundle" | "none" | undefined;
  /**
   * The name of both webhook configurations.
   * @default the name and namespace of the Service with a dot between them, or the host of `url`
   */
  readonly name?: string | undefined;
  /**
   * A PEM file with the CAs of client certificates, which is read again when it changes. Clients without such a
   * certificate are refused. @default none
   */
  readonly clientCaFile?: string | undefined;
  /** Maximum bytes of an AdmissionReview. @default 7 MiB: two objects of the largest size that API servers accept */
  readonly maxBodyBytes?: number | undefined;
}

export interface WebhookService {
  readonly name: string;
  /** @default the client's namespace */
  readonly namespace?: string | undefined;
  /** The port of the Service. @default 443 */
  readonly port?: number | undefined;
}
