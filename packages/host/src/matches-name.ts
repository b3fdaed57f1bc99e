/**
 * Whether a name matches a pattern, in which `*` is any characters: the name begins with the part before the
 * first `*`, ends with that after the last, and has the others between, in this order. Takes linear time.
 */
export function matchesName(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
