import { type Entry, isEntry, WrongValue } from './entry-values.ts';
import type { Format } from './formats.ts';
import type { WellKnownFile } from './well-known-files.ts';

export interface Container {
  readonly keys: readonly string[];
  readonly entries: Entry;
}

/** The objects of a file that hold servers: Claude Code also keeps some of them by project. */
export function containersOf(
  root: Entry,
  format: Format,
  cwd: string,
  part: WellKnownFile['part'],
): Container[] {
  const found: Container[] = [];
  if (part !== 'user' && format.name === 'claude-code' && isEntry(root['projects'])) {
    const project = root['projects'][cwd];
    if (isEntry(project) && isEntry(project['mcpServers'])) {
      found.push({ keys: ['projects', cwd, 'mcpServers'], entries: project['mcpServers'] });
    }
  }
  if (part === 'local') return found;
  const key = format.containers.find((each) => root[each] !== undefined && root[each] !== null);
  if (key === undefined) return found;
  const entries = root[key];
  if (!isEntry(entries)) throw new WrongValue(key, 'an object', entries);
  found.push({ keys: [key], entries });
  return found;
}

/** Gemini CLI names the servers that it starts, or does not start, outside of their entries. */
export function isPermitted(name: string, root: Entry, format: Format): boolean {
  const lists = format.name === 'gemini' && isEntry(root['mcp']) ? root['mcp'] : {};
  const { allowed, excluded } = lists;
  return (
    !(Array.isArray(allowed) && !allowed.includes(name)) &&
    !(Array.isArray(excluded) && excluded.includes(name))
  );
}
