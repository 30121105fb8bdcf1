/**
 * Orders API versions as Kubernetes prefers them, the preferred first: stable ones, then betas, then alphas, each from
 * the newest on (`v2`, `v1`, `v1beta2`, `v1beta1`, `v1alpha1`); then all other names by the alphabet.
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [rankOf(one), rankOf(other)];
  if (!left || !right)
    return Number(right !== undefined) - Number(left !== undefined) || compareText(one, other);
  const differing = left.findIndex((rank, index) => rank !== right[index]);
  return (right[differing] ?? 0) - (left[differing] ?? 0);
}

/** Stability, major and minor version, each the higher the better. */
function rankOf(version: string): readonly number[] | undefined {
  const [whole, major, stability, minor] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  if (whole === undefined) return undefined;
  const rank = stability === "alpha" ? 0 : stability === "beta" ? 1 : 2;
  return [rank, Number(major), Number(minor ?? 0)];
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
