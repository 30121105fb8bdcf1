import { readFile } from "node:fs/promises";
import { get } from "node:https";
import type { Stage } from "./scenario.ts";

export interface ImpatientAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body parsed as JSON. */
  readonly body: unknown;
}

/**
 * Sends a GET once and returns the response. The client would retry ten times after `Retry-After`.
 * It reads the kubeconfig files of the engines that the suite starts, which are JSON.
 */
export async function impatient({ cluster }: Stage, path: string): Promise<ImpatientAnswer> {
  const { clusters, users } = JSON.parse(await readFile(cluster.kubeconfig, "utf8"));
  const ca = Buffer.from(clusters[0].cluster["certificate-authority-data"], "base64");
  const headers = { accept: "application/json", authorization: `Bearer ${users[0].user.token}` };
  return new Promise((resolve, reject) => {
    const request = get(`${clusters[0].cluster.server}${path}`, { ca, headers }, (response) => {
      response.toArray().then((chunks) => {
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
        resolve({ status: response.statusCode, headers: response.headers, body });
      }, reject);
    });
    request.once("error", reject);
  });
}
