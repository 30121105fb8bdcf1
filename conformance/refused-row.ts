import { raw } from "./raw.ts";
import { scenario } from "./scenario.ts";

/** Where an object named `a` is created, with `{ns}` for the namespace, what it is, and why the server refuses it. */
export type RefusedRow = readonly [path: string, body: object, message: string];

/** The server refuses to make an object, in these words. */
export function refusedInWords([path, body, message]: RefusedRow): void {
  const kind = path.slice(path.lastIndexOf("/") + 1);
  scenario(`${kind} like ${JSON.stringify(body)} are refused`, async ({ client, namespace, expect }) => {
    const answer = await raw(client, path.replace("{ns}", namespace), {
      method: "POST",
      body: JSON.stringify({ metadata: { name: "a" }, ...body }),
    });
    expect(answer.body).toMatchObject({ status: "Failure", message });
  });
}
