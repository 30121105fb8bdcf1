/**
 * Compares API versions in Kubernetes' order of preference: stable, beta, alpha, each newest first (`v2`, `v1`,
 * `v1beta2`, `v1beta1`, `v1alpha1`), then all other names alphabetically.
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [rankOf(one), rankOf(other)];
  if (!left || !right)
    return Number(right !== undefined) - Number(left !== undefined) || compareText(one, other);
  const differingIndex = left.findIndex((rank, index) => rank !== right[index]);
  return (right[differingIndex] ?? 0) - (left[differingIndex] ?? 0);
}

/** Returns stability, major and minor version as numbers. A higher number is preferred. */
function rankOf(version: string): readonly number[] | undefined {
  const [match, major, stability, minor] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  if (match === undefined) return undefined;
  const rank = stability === "alpha" ? 0 : stability === "beta" ? 1 : 2;
  return [rank, Number(major), Number(minor ?? 0)];
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
