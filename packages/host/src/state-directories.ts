import { join } from 'node:path';
import { directoryIn } from './config/home-directory.ts';

/** The directories of `mcp`. The user may always delete the files of `cache`, but not those of `state`. */
export interface StateDirectories {
  readonly state: string;
  readonly cache: string;
}

/** The directories of the XDG base directory specification; on Windows, the usual directories there. */
export function stateDirectories(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): StateDirectories {
  if (platform === 'win32') {
    const local = join(
      directoryIn('LOCALAPPDATA', { env, platform }) ?? join(home, 'AppData', 'Local'),
      'mcp',
    );
    return { state: join(local, 'state'), cache: join(local, 'cache') };
  }
  return {
    state: join(directoryIn('XDG_STATE_HOME', { env, platform }) ?? join(home, '.local', 'state'), 'mcp'),
    cache: join(directoryIn('XDG_CACHE_HOME', { env, platform }) ?? join(home, '.cache'), 'mcp', 'host'),
  };
}
