/** A user known to the API server. */
export interface User {
  readonly name: string;
  /** @default none */
  readonly groups?: readonly string[] | undefined;
}

/** The administrator. Members of system:masters bypass authorization. */
export const admin: User = { name: "admin", groups: ["system:masters"] };

/** Returns the administrator and `others`. Throws if two users have the same name. */
export function withAdmin<U extends User>(others: readonly U[] = []): Array<U | User> {
  const users = [admin, ...others];
  const names = users.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return users;
  throw new Error(
    `expected users with different names, and none named "${admin.name}", got "${twice}" twice`,
  );
}
