/** Returns the paths, without each path that is inside another of the paths. */
export function outermostPaths(paths: readonly string[]): string[] {
  const kept: string[] = [];
  const seen = new Set<string>();
  // A directory precedes its entries, since its path is shorter.
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    const parents = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
    if (parents.some((parent) => seen.has(parent))) continue;
    seen.add(path);
    kept.push(path);
  }
  return kept.sort();
}
