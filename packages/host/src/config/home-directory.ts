import { homedir, userInfo } from 'node:os';
import { posix, win32 } from 'node:path';

/**
 * The home directory of this user; that of the system's records where the environment has
 * none that is absolute.
 */
export function homeDirectory(): string {
  const home = homedir();
  return isAbsolute(home, process.platform) ? home : userInfo().homedir;
}

/**
 * The directory that a variable names; undefined for an empty or relative one, which would make files
 * of a project those of its user.
 */
export function directoryIn(
  name: string,
  { env, platform }: { readonly env: NodeJS.ProcessEnv; readonly platform: NodeJS.Platform },
): string | undefined {
  const path = env[name];
  return path !== undefined && isAbsolute(path, platform) ? path : undefined;
}

function isAbsolute(path: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? win32.isAbsolute(path) : posix.isAbsolute(path);
}
