import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface RawSocketOptions {
  /** "https:" is with TLS, "http:" without. */
  readonly url: string;
  /** Whom to trust, as PEM. */
  readonly ca: string;
  /** Is told of bytes: so many at the beginning of a buffer that the next are read into. */
  readonly each: (length: number, buffer: Buffer) => void;
}

/** A connection as cheap as Node has it: nothing is allocated to read from it. */
export function openRawSocket({ url, ca, each }: RawSocketOptions): Socket {
  const { hostname: host, port, protocol } = new URL(url);
  const buffer = Buffer.allocUnsafeSlow(256 * 1024);
  const callback = (length: number) => {
    each(length, buffer);
    return true;
  };
  const options = { host, port: Number(port), noDelay: true, onread: { buffer, callback } };
  // The declarations leave out that a TLS connection reads into a given buffer too.
  return protocol === "https:" ? connectTls({ ...options, ca } as object) : connectPlain(options);
}
