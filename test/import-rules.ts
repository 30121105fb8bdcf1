import { posix } from "node:path";
import { type Layers, layers, rooms } from "./layers.ts";

/** Returns the reason why `file` (a path under `src/`) may not import `specifier`, or `undefined`. */
export function importProblem(file: string, specifier: string, table: Layers = layers): string | undefined {
  if (/^trimtab(\/|$)/.test(specifier)) return `${file} imports ${specifier}: reach it by a relative path`;
  if (!specifier.startsWith(".")) return undefined;
  const target = posix.join(posix.dirname(file), specifier);
  if (isTest(file) && target.startsWith("../test/")) return undefined;
  const [from, to] = [folderOf(file), folderOf(target)];
  if (from === to) return roomProblem(file, target);
  if (!allowed(file, table).includes(to)) return `${file} imports ${to}: ${from} may not, by test/layers.ts`;
  return isDoor(target) ? undefined : `${file} imports ${target}: reach ${to} through its index.ts`;
}

/** Returns the reason why a file of a folder with rooms may not import another file of that folder, or `undefined`. */
export function roomProblem(file: string, target: string, table = rooms): string | undefined {
  const { order, shared = [] } = table[folderOf(file)] ?? { order: [] };
  const [from, to] = [roomOf(file), roomOf(target)];
  if (isTest(file) || from === undefined || !order.includes(from)) return undefined;
  if (
    to === undefined
      ? shared.includes(posix.basename(target))
      : order.slice(0, order.indexOf(from) + 1).includes(to)
  )
    return undefined;
  return `${file} imports ${target}: the room ${from} may not, by test/layers.ts`;
}

/** Returns the subfolder that a file is in, or `undefined` for a file directly in its folder. */
function roomOf(path: string): string | undefined {
  const [, room, file] = path.split("/");
  return file === undefined ? undefined : room;
}

/** Returns true for tests, fixtures and contracts, which are not part of the package. */
export function isTest(path: string): boolean {
  return /\.(test|test-d|contract|fixture)\.ts$/.test(path);
}

function allowed(file: string, table: Layers): readonly string[] {
  if (file === "index.ts") return Object.keys(table);
  const listed = table[folderOf(file)] ?? [];
  return isTest(file) ? [...listed, "base", "testing"] : listed;
}

function folderOf(path: string): string {
  return path.split("/")[0] ?? path;
}

function isDoor(path: string): boolean {
  return /^[^/]+\/(index|internal)\.ts$/.test(path) || path.startsWith("api/types/");
}
