import { createHash } from 'node:crypto';
import type { Note, ServerTool, ToolAddress } from '../vendor.ts';

export interface NameRules {
  /** Matches each character that is allowed in a name. */
  readonly allowed: RegExp;
  /** Matches the characters with which a name may begin, if not all allowed characters may. */
  readonly first?: RegExp;
  readonly maxLength: number;
}

/**
 * Gives each tool a unique name: `server__tool`. If the vendor does not accept this name, or if another pair
 * of server and tool could get the same name, the name is cut and ends in 8 hexadecimal digits of the pair's
 * hash. So the name of a tool is the same in every run, whatever the other servers are. If a tool is listed
 * twice, the first definition is kept.
 */
export function nameTools(
  tools: readonly ServerTool[],
  rules: NameRules,
): { readonly names: Map<string, ServerTool>; readonly notes: Note[] } {
  const names = new Map<string, ServerTool>();
  const seen = new Set<string>();
  const notes: Note[] = [];
  for (const each of tools) {
    const address = { server: each.server, tool: each.tool.name };
    const pair = JSON.stringify([address.server, address.tool]);
    if (seen.has(pair)) {
      notes.push({ ...address, path: '', message: 'Left out: the server lists a tool of this name twice' });
      continue;
    }
    seen.add(pair);
    let name = toolName(address, rules);
    for (let salt = 1; names.has(name); salt++) name = hashedName(address, rules, String(salt));
    if (name !== plainName(address)) {
      notes.push({ ...address, path: '', message: `Renamed to "${name}"` });
    }
    names.set(name, each);
  }
  return { names, notes };
}

/**
 * Whether a name that was made for a vendor, by the rules of any vendor, may belong to a tool of this server.
 * Only the beginning of the name is compared, without the list of tools, so the result may be true for
 * several servers.
 */
export function mayNameToolOf(server: string, name: string): boolean {
  const prefix = Array.from(`${server}__`, (each) => (/[a-zA-Z0-9_-]/.test(each) ? each : '_')).join('');
  return [prefix, `_${prefix}`].some((each) => name.startsWith(each.slice(0, minKeptLength)));
}

/** When a name is cut, at least this number of its first characters is kept. */
const minKeptLength = 55;

function plainName({ server, tool }: ToolAddress): string {
  return `${server}__${tool}`;
}

/** The name of a tool for a vendor. It does not depend on other tools, and is the same in every run. */
export function toolName(address: ToolAddress, rules: NameRules): string {
  const plain = plainName(address);
  return isAllowed(plain, rules) && isUnambiguous(address) ? plain : hashedName(address, rules, '');
}

function isAllowed(name: string, { allowed, first, maxLength }: NameRules): boolean {
  if (name.length > maxLength || (first && !first.test(name[0] ?? ''))) return false;
  return Array.from(name).every((character) => allowed.test(character));
}

/** Whether the first `__` in the name separates server and tool. */
function isUnambiguous({ server }: ToolAddress): boolean {
  return server !== '' && !server.includes('__') && !server.endsWith('_');
}

function hashedName(address: ToolAddress, { allowed, first, maxLength }: NameRules, salt: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([address.server, address.tool, salt]))
    .digest('hex');
  const legal = Array.from(plainName(address), (character) =>
    allowed.test(character) ? character : '_',
  ).join('');
  const begun = first && !first.test(legal[0] ?? '') ? `_${legal}` : legal;
  return `${begun.slice(0, maxLength - 9)}_${hash.slice(0, 8)}`;
}
