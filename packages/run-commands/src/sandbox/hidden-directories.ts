import { statSync } from 'node:fs';
import { leadsTo } from '../access/visited-paths.ts';
import type { Confinement } from './sandbox.ts';

/**
 * The directories that a command does not see: without a network, `/run`, whose sockets lead to services that
 * have one, such as that of Docker. Not where the command works in it.
 */
export function hiddenDirectories({ network, writable, cwd }: Confinement): string[] {
  if (network) return [];
  const needed = [cwd, ...writable].map((each) => `${leadsTo(each)}/`);
  return ['/run'].filter(
    (directory) =>
      statSync(directory, { throwIfNoEntry: false })?.isDirectory() &&
      !needed.some((each) => each.startsWith(`${directory}/`)),
  );
}
