import { type Client, ConnectionError, clientOver } from "../client/index.ts";

type Transport = Client["transport"];
type Request = Parameters<Transport["send"]>[0];

/** A write as it was sent: the method and path, and the body. */
export interface Sent {
  readonly line: string;
  readonly body: unknown;
}

/** A transport that records writes and can make them fail. */
export class Wire implements Transport {
  readonly server = "http://wire";
  readonly sent: Sent[] = [];
  /**
   * Decides the fate of a write, given the number of earlier writes and its method and path. `undefined` sends it to
   * the server.
   */
  broken: (before: number, line: string) => Error | "silence" | undefined = () => undefined;
  readonly client: Client = clientOver(this, { namespace: "default" });
  readonly #inner: Transport;
  readonly #waiting: Array<{ readonly responses: number; readonly resolve: () => void }> = [];
  #responses = 0;

  constructor(inner: Client) {
    this.#inner = inner.transport;
  }

  get lines(): string[] {
    return this.sent.map(({ line }) => line);
  }

  /** Resolves when `responses` writes have a response or have failed. */
  answered(responses: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ responses, resolve });
      this.#notify();
    });
  }

  async send(request: Request): ReturnType<Transport["send"]> {
    const [path] = request.path.split("?");
    const line = `${request.method} ${path}`;
    const broken = this.broken(this.sent.length, line);
    this.sent.push({
      line,
      body: request.body === undefined ? undefined : JSON.parse(String(request.body)),
    });
    try {
      if (broken instanceof Error) throw broken;
      if (broken === "silence") await abortOf(request);
      return await this.#inner.send(request);
    } finally {
      this.#responses += 1;
      this.#notify();
    }
  }

  open(request: Request): ReturnType<Transport["open"]> {
    return this.#inner.open(request);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #notify(): void {
    for (const { responses, resolve } of this.#waiting) if (this.#responses >= responses) resolve();
  }
}

/** Rejects when the request is aborted. */
function abortOf({ signal }: Request): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Returns the error for an unreachable server. */
export function unreachable(): ConnectionError {
  const request = { method: "POST", path: "/" } as const;
  return new ConnectionError("expected a response, got a refused connection", {
    code: "ECONNREFUSED",
    request,
  });
}
