/** Somebody the API server knows. */
export interface User {
  readonly name: string;
  /** @default none */
  readonly groups?: readonly string[] | undefined;
}

/** Member of the group that passes by every authorization rule. */
export const admin: User = { name: "admin", groups: ["system:masters"] };

/** The administrator and the others. Throws where two have one name. */
export function withAdmin<U extends User>(others: readonly U[] = []): Array<U | User> {
  const users = [admin, ...others];
  const names = users.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return users;
  throw new Error(`expected users of different names, and none named "${admin.name}", got "${twice}" twice`);
}
