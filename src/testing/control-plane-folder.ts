import { generateKeyPair } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { secretToken } from "../base/index.ts";
import type { User } from "./users.ts";

/** The files of one control plane. */
export interface ControlPlaneFolder {
  readonly path: string;
  readonly certificates: string;
  readonly etcdData: string;
  readonly serviceAccountKey: string;
  readonly tokenFile: string;
  /** Token of each user, by name. */
  readonly tokens: ReadonlyMap<string, string>;
}

/** Writes a key for service accounts and a token for each user into the folder `path`. */
export async function controlPlaneFolder(path: string, users: readonly User[]): Promise<ControlPlaneFolder> {
  const folder: ControlPlaneFolder = {
    path,
    certificates: join(path, "certificates"),
    etcdData: join(path, "etcd"),
    serviceAccountKey: join(path, "service-account.key"),
    tokenFile: join(path, "tokens.csv"),
    tokens: new Map(users.map(({ name }) => [name, secretToken()])),
  };
  await writeFile(folder.tokenFile, users.map((user) => tokenLine(user, folder.tokens)).join(""));
  await writeFile(folder.serviceAccountKey, await privateKey());
  return folder;
}

/** Returns one line of the API server's `--token-auth-file`: token, name, uid, groups. */
function tokenLine({ name, groups = [] }: User, tokens: ReadonlyMap<string, string>): string {
  const fields = [tokens.get(name) ?? "", name, name, groups.join(",")];
  return `${fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(",")}\n`;
}

async function privateKey(): Promise<string> {
  const { privateKey: key } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  return key.export({ type: "pkcs1", format: "pem" }).toString();
}
