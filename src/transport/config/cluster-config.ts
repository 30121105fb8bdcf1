/**
 * The address of a cluster and the identity of this client there. `loadConfig` returns it, and a transport takes it.
 *
 * A configuration from this package shows no secret when it is logged: tokens, passwords and keys are behind
 * `identity`, which prints a description.
 */
export interface ClusterConfig {
  /** URL of the API server, with its base path and without a trailing slash: "https://10.0.0.1:6443". */
  readonly server: string;
  /** The namespace of keys that name none. */
  readonly namespace: string;
  readonly identity: Identity;
  readonly impersonate?: Impersonation | undefined;
  /** An `http:`, `https:` or `socks5:` URL. It may contain a password, so do not log it. */
  readonly proxyUrl?: string | undefined;
  /** The source of the proxy's URL, for messages: "HTTPS_PROXY and NO_PROXY". */
  readonly proxyOrigin?: string | undefined;
  /** True if responses are not compressed: the kubeconfig's `disable-compression`. @default false */
  readonly disableCompression?: boolean | undefined;
  /** The source of this configuration, for messages: "~/.kube/config, context dev" or "in-cluster service account". */
  readonly origin: string;
}

/** The credentials of this client, which change over time: files are reloaded and credential plugins run again. */
export interface Identity {
  /**
   * Returns the current credentials: the same object while nothing has changed, and a promise only while a file is read
   * or a plugin runs.
   */
  current(): RequestAuth | Promise<RequestAuth>;
  /**
   * Reports that the server responded 401 to `auth`.
   * @returns true if the next `current()` may return other credentials; the request is then sent once more
   */
  refused(auth: RequestAuth): boolean;
  /**
   * Reports that the TLS handshake with `auth` failed: the server's certificate is not trusted, or the server did not
   * accept the client's. The next `current()` reloads the files, because either may have been rotated.
   * @returns true if the next `current()` may return something else
   */
  handshakeFailed?(auth: RequestAuth): boolean;
}

/** The credentials of one request. */
export interface RequestAuth {
  /** `{ authorization: "Bearer ..." }`, or empty. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The same object while the TLS material has not changed. A new object makes the transport open new connections.
   * `undefined` for `http:` servers.
   */
  readonly tls: TlsMaterial | undefined;
}

/** The TLS settings of connections to the server. Certificates and keys are PEM. */
export interface TlsMaterial {
  /** The trusted certificate authorities. @default those that Node trusts */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name that the server's certificate must contain. @default the host of the server's URL */
  readonly serverName?: string | undefined;
  /** True if the server's certificate is not checked. */
  readonly insecure: boolean;
}

/** The user to impersonate. It requires the RBAC verb `impersonate`. */
export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[] | undefined;
  readonly uid?: string | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
