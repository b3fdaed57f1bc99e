import type { ToolFilter } from '../config/definition.ts';

/** Whether a tool is shown: allowed by name or pattern (`*` for any letters), and not denied. */
export function isToolAllowed(name: string, { allow, deny }: ToolFilter): boolean {
  const matches = (pattern: string) => wildcard(pattern).test(name);
  return (allow.length === 0 || allow.some(matches)) && !deny.some(matches);
}

function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((each) => each.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
