import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { loggerTo, silentLogger, VirtualClock } from "../../base/index.ts";
import { ConfigField } from "./config-field.ts";
import type { Credential } from "./credential.ts";
import type { Reloadable } from "./reloadable.ts";
import { tempFolder } from "./temp-folder.fixture.ts";
import { type TokenFileOptions, tokenFile } from "./token-file.ts";

const place = new ConfigField({}, { name: "~/.kube/config", lineOf: () => 9 }, ["users", 0, "user"]);

function tokenAt(file: string, options: Partial<TokenFileOptions> = {}): Reloadable<Credential> {
  return tokenFile({ file, place, clock: new VirtualClock(), log: silentLogger, ...options });
}

test("a token is trimmed and cached for 50 seconds", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock();
  const token = tokenAt(await folder.write("token", "\n one \n"), { clock });

  const first = await token.current();
  await folder.write("token", "two");
  await clock.advance(49_999);
  expect(token.current()).toBe(first);
  expect(first).toEqual({ authorization: "Bearer one" });
  await clock.advance(1);
  expect(await token.current()).toEqual({ authorization: "Bearer two" });
});

test("a refused token is reloaded at once", async () => {
  await using folder = await tempFolder();
  const token = tokenAt(await folder.write("token", "one"));
  const first = await token.current();
  await folder.write("token", "two");
  expect(token.refused(first)).toBe(true);
  expect(await token.current()).toEqual({ authorization: "Bearer two" });
});

test("with a missing or empty file the last token stays in use, and the file is read again 10 seconds later", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock();
  const errors: string[] = [];
  const log = loggerTo(({ fields }) => errors.push(String(fields.error)));
  const file = await folder.write("token", "one");
  const token = tokenAt(file, { clock, log });
  const first = await token.current();

  await rm(file);
  await clock.advance(50_000);
  expect(await token.current()).toBe(first);
  await folder.write("token", "  ");
  await clock.advance(10_000);
  expect(await token.current()).toBe(first);
  await folder.write("token", "two");
  await clock.advance(10_000);
  expect(await token.current()).toEqual({ authorization: "Bearer two" });

  expect(errors).toEqual([
    `ConfigError: expected users[0].user.tokenFile to name a readable file in ~/.kube/config:9, got ENOENT for ${file}`,
    `ConfigError: expected users[0].user.tokenFile to name a file with a token in ~/.kube/config:9, got an empty one, ${file}`,
  ]);
});

test("a failed first load is an error that names the file and the field", async () => {
  await expect(Promise.resolve(tokenAt("/no/token").current())).rejects.toThrow(
    "expected users[0].user.tokenFile to name a readable file in ~/.kube/config:9, got ENOENT for /no/token",
  );
});

test("the token of the user is used until the file can be read", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock();
  const file = `${folder.path}/token`;
  const token = tokenAt(file, { clock, token: "fixed" });

  expect(await token.current()).toEqual({ authorization: "Bearer fixed" });
  await folder.write("token", "fresh");
  await clock.advance(10_000);
  expect(await token.current()).toEqual({ authorization: "Bearer fresh" });
});
