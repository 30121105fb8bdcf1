/** Where addresses of Services come from, as wide as where a real server gets them from by default. */
export const serviceRange = "10.0.0.0/24";

/** How many can be given: all but the first and the last of the range. */
export const serviceAddresses = 254;

/** What a dry run shows: an address that is never given. */
export const noServiceAddress = "10.0.0.0";

/** The address at a place, from 0 on. */
export function serviceAddress(at: number): string {
  return `10.0.0.${at + 1}`;
}

/** Whether an address is one that can be given. */
export function isServiceAddress(address: string): boolean {
  const last = /^10\.0\.0\.(\d{1,3})$/.exec(address)?.[1];
  return last !== undefined && Number(last) >= 1 && Number(last) <= serviceAddresses;
}
