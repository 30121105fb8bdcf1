import { isIPv6 } from "node:net";

/** Addresses of the network, as Go's standard library reads them. */

/** With a dot in it, so that an IPv6 address that ends in an IPv4 one counts too. Leading zeros are let pass. */
export function isIpv4(text: string): boolean {
  return isDotted(text) || (text.includes(".") && isIpv6(text));
}

function isDotted(text: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(text) && text.split(".").every((part) => Number(part) <= 255);
}

export function isIpv6(text: string): boolean {
  return isIPv6(text) && !text.includes("%");
}

export function isCidr(text: string): boolean {
  const [, address = "", bits] = /^([^/]*)\/(\d+)$/.exec(text) ?? [];
  return (isDotted(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128);
}

/** 6, 8 or 20 bytes: `01:23:45:67:89:ab`, with dashes, or `0123.4567.89ab`. */
export function isMac(text: string): boolean {
  const bytes = /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1)*[0-9a-f]{2}$/i.test(text)
    ? (text.length + 1) / 3
    : 0;
  const words = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text) ? ((text.length + 1) / 5) * 2 : 0;
  return [6, 8, 20].includes(bytes + words);
}

const hostCharacter = "[a-zA-Z0-9\\p{S}\\p{L}]";

/** One label, which may have a dash as its second character only; or several, the last of letters. */
const hostnames = new RegExp(
  `^(?:${hostCharacter}(?:-?${hostCharacter}{0,62})?|` +
    `(?:${hostCharacter}(?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${hostCharacter})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  "u",
);

export function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  return hostnames.test(text) && text.split(".").every((label) => Buffer.byteLength(label) <= 63);
}

const atomCharacter = '[^\\x00-\\x20\\x7f()<>\\[\\]:;@\\\\,."]';
const dotted = `${atomCharacter}+(?:\\.${atomCharacter}+)*`;
const quoted = '"(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[\\x09\\x20-\\x7e])*"';
const address = `(?:${dotted}|${quoted})@(?:${dotted}|\\[[^\\[\\]\\\\\\x00-\\x20]*\\])`;
const emails = new RegExp(
  `^[ \\t]*(?:${address}|(?:${atomCharacter}|${quoted}|[ \\t.])*<${address}>)[ \\t]*$`,
);

/** An address alone, or in angle brackets after a name. */
export function isEmail(text: string): boolean {
  return text.length <= 1024 && emails.test(text);
}

/** What may stand in the line of a request: an absolute URI, or a path from the root. */
export function isUri(text: string): boolean {
  if (text === "" || Array.from(text).some(isControl)) return false;
  const [, scheme = "", rest = text] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text) ?? [];
  if (!rest.startsWith("/")) return scheme !== "" || text === "*";
  const [, authority = "", path = rest] = (scheme !== "" && /^\/\/([^/?]*)(.*)$/s.exec(rest)) || [];
  return isAuthority(authority) && hasGoodEscapes(path.split("?")[0] ?? "");
}

function isControl(character: string): boolean {
  return character < " " || character === "\x7f";
}

function hasGoodEscapes(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text);
}

/** An optional user, a host, an optional port: `user:secret@example.com:80`, `[::1]:80`. */
function isAuthority(text: string): boolean {
  const at = text.lastIndexOf("@");
  const user = at < 0 ? "" : text.slice(0, at);
  return /^[\w.\-:~!$&'()*+,;=%@]*$/.test(user) && hasGoodEscapes(user) && isHost(text.slice(at + 1));
}

function isHost(text: string): boolean {
  if (text.startsWith("[")) return /^\[[^\]]*\](?::\d*)?$/.test(text);
  const port = /:([^:]*)$/.exec(text)?.[1] ?? "";
  // Percent signs may only stand for bytes that are no ASCII.
  return /^\d*$/.test(port) && /^(?:[\w.\-~!$&'()*+,;=:<>"[\]]|\P{ASCII}|%[89a-f][0-9a-f])*$/iu.test(text);
}
