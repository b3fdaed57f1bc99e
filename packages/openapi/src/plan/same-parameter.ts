/**
 * Whether an API may take two names for the same parameter: some ignore the case of names and the spaces
 * around them, and add `name[key]` to the value of `name`.
 */
export function isSameParameter(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)];
  return a === b || a.startsWith(`${b}[`) || b.startsWith(`${a}[`);
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}
