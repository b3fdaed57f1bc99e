import { homedir, userInfo } from 'node:os';
import { posix, win32 } from 'node:path';

/**
 * The home directory of this user. If the environment has no absolute one, it comes from the user database of
 * the system.
 */
export function homeDirectory(): string {
  const home = homedir();
  return isAbsolute(home, process.platform) ? home : userInfo().homedir;
}

/**
 * The directory that an environment variable names; undefined if the path is empty or relative: files of a
 * project would then count as files of the user.
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
