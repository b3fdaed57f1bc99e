import type { ToolFilter } from '../config/entry/server-entry.ts';

/**
 * Whether a filter allows a tool and does not deny it. A filter contains names, in which `*` matches any
 * characters.
 */
export function isToolAllowed(name: string, { allow, deny }: ToolFilter): boolean {
  const matches = (pattern: string) => isMatch(name, pattern.split('*'));
  return (allow.length === 0 || allow.some(matches)) && !deny.some(matches);
}

/**
 * Whether a name matches a pattern, given as the parts between its `*`: the name begins with the first part,
 * ends with the last, and has the others between, in this order. Takes linear time.
 */
function isMatch(name: string, [first = '', ...others]: readonly string[]): boolean {
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
