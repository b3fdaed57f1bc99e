import { join } from 'node:path';

/** Where `mcp` keeps what it knows: caches may be deleted, state may not. */
export interface StateDirectories {
  readonly state: string;
  readonly cache: string;
}

/** The directories of the XDG base directory specification, or those of Windows. */
export function stateDirectories(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): StateDirectories {
  if (platform === 'win32') {
    const local = join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'mcp');
    return { state: join(local, 'state'), cache: join(local, 'cache') };
  }
  return {
    state: join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'mcp'),
    cache: join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'mcp', 'host'),
  };
}
