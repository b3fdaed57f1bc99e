import { matchesName } from '../matches-name.ts';
import type { ToolFilter } from '../config/entry/server-entry.ts';

/**
 * Whether a filter allows a tool and does not deny it. A filter contains names, in which `*` matches any
 * characters.
 */
export function isToolAllowed(name: string, { allow, deny }: ToolFilter): boolean {
  const matches = (pattern: string) => matchesName(name, pattern);
  return (allow.length === 0 || allow.some(matches)) && !deny.some(matches);
}
