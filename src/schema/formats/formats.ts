import { isCreditCard, isIsbn10, isIsbn13, isSsn } from "./checksum-formats.ts";
import { isCidr, isEmail, isHostname, isIpv4, isIpv6, isMac, isUri } from "./network-formats.ts";
import { isDate, isDateTime, isDuration } from "./time-formats.ts";

/** Returns true if a string matches a format. */
export type FormatTest = (text: string) => boolean;

/** The checked string formats by name without dashes. Other formats have no effect. */
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

/** Returns the format if it is checked for values of the type, otherwise `""`. The type `""` means any type. */
export function knownFormat(format: string, type: string): string {
  if (type === "" || type === "string") return formatTest(format) ? format : "";
  return numberFormats.get(type)?.has(format) ? format : "";
}

/** Returns the test of a string format, or `undefined` for a format that is not checked. Ignores dashes in the name. */
export function formatTest(format: string): FormatTest | undefined {
  return stringFormats.get(format.replaceAll("-", ""));
}

function matching(pattern: RegExp, also: FormatTest = () => true): FormatTest {
  return (text) => also(text) && pattern.test(text);
}

function atMost(length: number): FormatTest {
  return (text) => text.length <= length;
}

/** Returns the test for a UUID version. Each dash is optional. */
function uuid(version: string, variant: string): FormatTest {
  return matching(
    new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, "i"),
  );
}

/** Returns true for `rgb(255, 0, 9)`: three numbers up to 255 without leading zeros. */
function isRgbColor(text: string): boolean {
  const inside = /^rgb\(([^()]*)\)$/.exec(text)?.[1];
  const parts = inside?.split(",") ?? [];
  return parts.length === 3 && parts.every(isColorPart);
}

function isColorPart(text: string): boolean {
  const digits = /^[\t\n\f\r ]*(0|[1-9]\d{0,2})[\t\n\f\r ]*$/.exec(text)?.[1];
  return digits !== undefined && Number(digits) <= 255;
}
