/**
 * Returns hexadecimal digits that look random and are the same for the same seed: hashes, uids and suffixes of
 * generated objects.
 */
export function digits(seed: number, length: number): string {
  let text = "";
  for (let part = 1; text.length < length; part++) text += eight(seed, part);
  return text.slice(0, length);
}

/** Returns digits in the format of a version 4 uid. */
export function uid(seed: number): string {
  const all = digits(seed, 32);
  return `${all.slice(0, 8)}-${all.slice(8, 12)}-4${all.slice(13, 16)}-a${all.slice(17, 20)}-${all.slice(20)}`;
}

function eight(seed: number, part: number): string {
  let bits = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(part, 0x85ebca77);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0).toString(16).padStart(8, "0");
}
