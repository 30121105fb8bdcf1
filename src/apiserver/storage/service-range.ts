/** The range of Service addresses, as large as the default of kube-apiserver. */
export const serviceRange = "10.0.0.0/24";

/** The number of addresses that can be allocated: all except the first and the last of the range. */
export const serviceAddresses = 254;

/** The address in the response to a dry run, which is never allocated. */
export const noServiceAddress = "10.0.0.0";

/** Returns the address at an index, from 0 on. */
export function serviceAddress(at: number): string {
  return `10.0.0.${at + 1}`;
}

/** Returns true if an address can be allocated. */
export function isServiceAddress(address: string): boolean {
  const last = /^10\.0\.0\.(\d{1,3})$/.exec(address)?.[1];
  return last !== undefined && Number(last) >= 1 && Number(last) <= serviceAddresses;
}
