import type { AdmissionHook } from "./admission-hook.ts";

/** Throws a `TypeError` if an API server would refuse the hook. */
export function checkHook({ name, path, options }: AdmissionHook): void {
  if (!subdomain.test(name) || name.length > 253 || name.split(".").length < 3) {
    throw new TypeError(
      "expected the name of a webhook to have at least three parts of lower case letters, digits and dashes, " +
        `with dots between them, got ${JSON.stringify(name)}; for example "images.example.dev"`,
    );
  }
  if (!validPath.test(path) || path === "/convert") {
    throw new TypeError(
      "expected the path of a webhook to have letters, digits, dashes and underscores after each slash, and not to be " +
        `/convert, got ${JSON.stringify(path)}`,
    );
  }
  const { timeoutSeconds = 10 } = options;
  if (!Number.isInteger(timeoutSeconds) || timeoutSeconds < 1 || timeoutSeconds > 30) {
    throw new TypeError(
      `expected timeoutSeconds of webhook ${name} to be an integer from 1 to 30, got ${timeoutSeconds}`,
    );
  }
}

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const validPath = /^(\/[\w-]+)+$/;

/** Throws a `TypeError` if two hooks have the same path, or the same name in one configuration. */
export function checkUnique(hooks: readonly AdmissionHook[]): void {
  const advice = "set `name` of one of them";
  const seen = new Set<string>();
  for (const { type, name, path } of hooks) {
    for (const [what, id] of [
      ["path", path],
      [`${type} name`, name],
    ] as const) {
      const key = `${what} ${id}`;
      if (seen.has(key))
        throw new TypeError(`expected each webhook to have its own ${what}, got two with ${id}; ${advice}`);
      seen.add(key);
    }
  }
}
