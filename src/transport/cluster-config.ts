/**
 * Where the cluster is and who we are there: what loading a kubeconfig yields and a transport takes.
 *
 * Those made here show no secret when logged: tokens, passwords and keys are behind `identity`,
 * which prints as a description of itself.
 */
export interface ClusterConfig {
  /** URL of the API server, with any base path and no slash at the end: "https://10.0.0.1:6443". */
  readonly server: string;
  /** Where objects live when a key names no namespace. */
  readonly namespace: string;
  readonly identity: Identity;
  readonly impersonate?: Impersonation | undefined;
  /** An `http:`, `https:` or `socks5:` URL. It may hold a password, so do not log it. */
  readonly proxyUrl?: string | undefined;
  /** Where the proxy's URL came from, for messages: "HTTPS_PROXY and NO_PROXY". */
  readonly proxyOrigin?: string | undefined;
  /** Responses are not compressed: the kubeconfig's `disable-compression`. @default false */
  readonly disableCompression?: boolean | undefined;
  /** Where this came from, for messages: "~/.kube/config, context dev" or "in-cluster service account". */
  readonly origin: string;
}

/** Who we are to the server, as it changes over time: files are re-read, plugins run again. */
export interface Identity {
  /**
   * What to present now: the same object while nothing has changed. A promise only when something
   * has to be read or run first.
   */
  current(): RequestAuth | Promise<RequestAuth>;
  /**
   * The server answered 401 to `auth`. Says whether asking again may give something else;
   * the request is then tried once more.
   */
  refused(auth: RequestAuth): boolean;
  /**
   * The TLS handshake failed with `auth`: the server's certificate is not trusted, or it does not accept ours. Files are read again
   * when next asked for, since either may have been rotated. @returns whether asking again may give something else
   */
  handshakeFailed?(auth: RequestAuth): boolean;
}

/** What goes with a request. */
export interface RequestAuth {
  /** `{ authorization: "Bearer ..." }`, or nothing. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The same object while the TLS material has not changed; a new one makes the transport open new
   * connections. `undefined` for `http:` servers.
   */
  readonly tls: TlsMaterial | undefined;
}

/** How to speak TLS to the server. Certificates and keys are PEM. */
export interface TlsMaterial {
  /** Whom to trust. @default the certificate authorities Node trusts */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name the server's certificate must hold. @default the host of the server's URL */
  readonly serverName?: string | undefined;
  /** The server's certificate is not checked. */
  readonly insecure: boolean;
}

/** Whom to act as. The server allows it to those with the right to `impersonate`. */
export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[] | undefined;
  readonly uid?: string | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
