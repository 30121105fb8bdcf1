/** What is wrong with a label selector, in the server's words. */
export function labelSelectorFault(text: string): string {
  return `unable to parse requirement: ${text}`;
}

/** What is wrong with a field selector, in the server's words. */
export function fieldSelectorFault(text: string): string {
  return `invalid selector: '${text}'; can't understand '${text}'`;
}
