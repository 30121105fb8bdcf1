import { type Client, ConnectionError, clientOver } from "../client/index.ts";

type Transport = Client["transport"];
type Request = Parameters<Transport["send"]>[0];

/** A write as it was sent: the method and the path, and what was in it. */
export interface Sent {
  readonly line: string;
  readonly body: unknown;
}

/** The way to a server, with its writes seen and broken. */
export class Wire implements Transport {
  readonly server = "http://wire";
  readonly sent: Sent[] = [];
  /** What becomes of a write in place of reaching the server, by how many came before it and by its method and path. */
  broken: (before: number, line: string) => Error | "silence" | undefined = () => undefined;
  readonly client: Client = clientOver(this, { namespace: "default" });
  readonly #inner: Transport;
  readonly #waiting: Array<{ readonly answers: number; readonly resolve: () => void }> = [];
  #answers = 0;

  constructor(inner: Client) {
    this.#inner = inner.transport;
  }

  get lines(): string[] {
    return this.sent.map(({ line }) => line);
  }

  /** Resolves when so many writes have had their answer, or failed. */
  answered(answers: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ answers, resolve });
      this.#tell();
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
      this.#answers += 1;
      this.#tell();
    }
  }

  open(request: Request): ReturnType<Transport["open"]> {
    return this.#inner.open(request);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #tell(): void {
    for (const { answers, resolve } of this.#waiting) if (this.#answers >= answers) resolve();
  }
}

/** Rejects when the caller has had enough. */
function abortOf({ signal }: Request): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** A server that cannot be reached. */
export function unreachable(): ConnectionError {
  const request = { method: "POST", path: "/" } as const;
  return new ConnectionError("expected an answer, got a refused connection", {
    code: "ECONNREFUSED",
    request,
  });
}
