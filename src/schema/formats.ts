import { isCreditCard, isIsbn10, isIsbn13, isSsn } from "./checksum-formats.ts";
import { isCidr, isEmail, isHostname, isIpv4, isIpv6, isMac, isUri } from "./network-formats.ts";
import { isDate, isDateTime, isDuration } from "./time-formats.ts";

/** Whether a text is of a format. */
export type FormatTest = (text: string) => boolean;

/** The formats of strings that are checked, by their name without dashes. Others say nothing about a value. */
const stringFormats: ReadonlyMap<string, FormatTest> = new Map<string, FormatTest>([
  ["bsonobjectid", matching(/^[0-9a-f]{24}$/i)],
  ["byte", matching(/^(?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=|[a-z\d+/]{4})$/i)],
  ["cidr", isCidr],
  ["creditcard", isCreditCard],
  ["date", isDate],
  ["datetime", isDateTime],
  ["duration", isDuration],
  ["email", isEmail],
  ["hexcolor", matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i)],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  [
    "k8slongname",
    matching(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/, atMost(253)),
  ],
  ["k8sshortname", matching(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/, atMost(63))],
  ["mac", isMac],
  ["password", () => true],
  ["rgbcolor", isRgbColor],
  ["ssn", isSsn],
  ["uri", isUri],
  ["uuid", uuid("[0-9a-f]", "[0-9a-f]")],
  ["uuid3", uuid("3", "[0-9a-f]")],
  ["uuid4", uuid("4", "[89ab]")],
  ["uuid5", uuid("5", "[89ab]")],
]);

const numberFormats: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["integer", new Set(["int32", "int64"])],
  ["number", new Set(["float", "double"])],
]);

/** The format as it counts for values of a type, or `""` if it says nothing about them. No type is any type. */
export function knownFormat(format: string, type: string): string {
  if (type === "" || type === "string") return formatTest(format) ? format : "";
  return numberFormats.get(type)?.has(format) ? format : "";
}

/** The test of a format of strings, if it is one that is checked. Dashes in its name do not count. */
export function formatTest(format: string): FormatTest | undefined {
  return stringFormats.get(format.replaceAll("-", ""));
}

function matching(pattern: RegExp, also: FormatTest = () => true): FormatTest {
  return (text) => also(text) && pattern.test(text);
}

function atMost(length: number): FormatTest {
  return (text) => text.length <= length;
}

/** Dashes are optional, each by itself. */
function uuid(version: string, variant: string): FormatTest {
  return matching(
    new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, "i"),
  );
}

/** `rgb(255, 0, 9)`: three numbers up to 255 without leading zeros. */
function isRgbColor(text: string): boolean {
  const inside = /^rgb\(([^()]*)\)$/.exec(text)?.[1];
  const parts = inside?.split(",") ?? [];
  return parts.length === 3 && parts.every(isColorPart);
}

function isColorPart(text: string): boolean {
  const digits = /^[\t\n\f\r ]*(0|[1-9]\d{0,2})[\t\n\f\r ]*$/.exec(text)?.[1];
  return digits !== undefined && Number(digits) <= 255;
}
