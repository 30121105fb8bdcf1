import { raw } from "./raw.ts";
import { scenario } from "./scenario.ts";

/** Path to create an object named `a`, with `{ns}` for the namespace, its fields, and the server's error. */
export type RefusedRow = readonly [path: string, body: object, message: string];

/** Defines a scenario in which the server refuses to create an object with this error. */
export function refusedInWords([path, body, message]: RefusedRow): void {
  const kind = path.slice(path.lastIndexOf("/") + 1);
  scenario(`${kind} like ${JSON.stringify(body)} are refused`, async ({ client, namespace, expect }) => {
    const response = await raw(client, path.replace("{ns}", namespace), {
      method: "POST",
      body: JSON.stringify({ metadata: { name: "a" }, ...body }),
    });
    expect(response.body).toMatchObject({ status: "Failure", message });
  });
}
