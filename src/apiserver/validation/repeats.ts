/**
 * Returns for each element of a list whether an earlier one has the same key. Keys are compared as `Map` keys. It takes
 * linear time, unlike a search for each element.
 */
export function repeats<T>(list: readonly T[], keyOf: (element: T) => unknown): boolean[] {
  const seen = new Set<unknown>();
  return list.map((element) => {
    const key = keyOf(element);
    const again = seen.has(key);
    seen.add(key);
    return again;
  });
}

/** Returns the first element of each key. */
export function firstByKey<T, K>(list: readonly T[], keyOf: (element: T) => K): ReadonlyMap<K, T> {
  const found = new Map<K, T>();
  for (const element of list) if (!found.has(keyOf(element))) found.set(keyOf(element), element);
  return found;
}
