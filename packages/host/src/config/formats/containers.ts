import { isObject } from '@mcp/kit';
import { type Entry, WrongValue } from '../entry/entry-values.ts';
import type { Format } from './formats.ts';
import type { WellKnownFile } from './well-known-files.ts';

export interface Container {
  readonly keys: readonly string[];
  readonly entries: Entry;
}

/**
 * The objects in a configuration file that contain servers. The file of Claude Code may contain one for the
 * user, and one for the project in `cwd`.
 */
export function containersOf(
  root: Entry,
  format: Format,
  cwd: string,
  part: WellKnownFile['part'],
): Container[] {
  const found: Container[] = [];
  if (part !== 'user' && format.name === 'claude-code' && isObject(root['projects'])) {
    const project = root['projects'][cwd];
    if (isObject(project) && isObject(project['mcpServers'])) {
      found.push({ keys: ['projects', cwd, 'mcpServers'], entries: project['mcpServers'] });
    }
  }
  if (part === 'local') return found;
  const key = format.containers.find((each) => root[each] !== undefined && root[each] !== null);
  if (key === undefined) return found;
  const entries = root[key];
  if (!isObject(entries)) throw new WrongValue(key, 'an object', entries);
  found.push({ keys: [key], entries });
  return found;
}

/** Whether Gemini CLI starts a server, by its lists `allowed` and `excluded`; true for other formats. */
export function isPermitted(name: string, root: Entry, format: Format): boolean {
  const lists = format.name === 'gemini' && isObject(root['mcp']) ? root['mcp'] : {};
  const { allowed, excluded } = lists;
  return (
    !(Array.isArray(allowed) && !allowed.includes(name)) &&
    !(Array.isArray(excluded) && excluded.includes(name))
  );
}
