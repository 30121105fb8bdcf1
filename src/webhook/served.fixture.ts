import { once } from "node:events";
import { connect } from "node:http2";
import { type RequestOptions, request } from "node:https";
import { text as textOf } from "node:stream/consumers";
import { type LogEntry, loggerTo, type PrometheusMetrics, prometheus, realClock } from "../base/index.ts";
import { createAuthority } from "../certificates/index.ts";
import { GivenCertificate } from "../serving/index.ts";
import { WebhookServer, type WebhookServerContext } from "./webhook-server.ts";
import { reviewText } from "./website.fixture.ts";

/** A response of a webhook server. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A webhook server on loopback, with a certificate of its own. */
export class Served implements AsyncDisposable {
  readonly authority: ReturnType<typeof createAuthority> = createAuthority("test-ca");
  readonly logged: LogEntry[] = [];
  readonly metrics: PrometheusMetrics = prometheus();
  readonly server: WebhookServer;
  port = 0;

  constructor(context: Partial<WebhookServerContext>) {
    const certificate = { ...this.authority.server(["localhost"]), ca: this.authority.cert };
    this.server = new WebhookServer({
      hooks: [],
      converters: [],
      certificates: new GivenCertificate(certificate),
      host: "127.0.0.1",
      port: 0,
      log: loggerTo((entry) => this.logged.push(entry)),
      metrics: this.metrics,
      clock: realClock,
      ...context,
    });
  }

  static async start(context: Partial<WebhookServerContext>): Promise<Served> {
    const served = new Served(context);
    served.port = await served.server.listen();
    return served;
  }

  /** Sends a request over HTTP/1.1. Resolves with the error's code if the connection fails. */
  post(
    path: string,
    body: string | Buffer = reviewText(),
    options: RequestOptions = {},
  ): Promise<Answer | string> {
    return new Promise((resolve) => {
      const sent = request(
        {
          host: "127.0.0.1",
          servername: "localhost",
          port: this.port,
          path,
          method: "POST",
          ca: this.authority.cert,
          agent: false,
          ...options,
          headers: { "content-type": "application/json", ...options.headers },
        },
        (response) =>
          void textOf(response).then((text) =>
            resolve({
              status: response.statusCode ?? 0,
              body: text === "" ? "" : (JSON.parse(text) as unknown),
            }),
          ),
      );
      sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end(body);
    });
  }

  /** Sends a request over HTTP/2. */
  async post2(path: string, body: string = reviewText()): Promise<Answer> {
    const session = connect(`https://localhost:${this.port}`, { ca: this.authority.cert });
    const stream = session.request({ ":method": "POST", ":path": path, "content-type": "application/json" });
    stream.end(body);
    const [headers] = (await once(stream, "response")) as [{ ":status": number }];
    const text = await textOf(stream);
    session.close();
    return { status: headers[":status"], body: JSON.parse(text) as unknown };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}
