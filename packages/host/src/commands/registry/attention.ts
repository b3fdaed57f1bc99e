import type { HttpTarget, StdioTarget } from '../../config/entry/server-entry.ts';
import { shellWord } from '../../shell-word.ts';
import { searchPaths } from '../../trust/launchers.ts';

/** Variables that decide which code programs load, or from where launchers download it. */
const loading = new RegExp(
  `^(?:${searchPaths.join('|')}|PATH|NODE_OPTIONS|DOCKER_HOST|(?:npm_config|UV|PIP)_.*)$`,
  'i',
);

/**
 * What deserves attention before a server of the registry is started: words for the launcher itself, such as
 * those that name another package, and variables by which other code is loaded.
 */
export function attentionOf(target: StdioTarget | HttpTarget, launcherWords: readonly string[]): string[] {
  if (target.kind === 'http') return [];
  const names = Object.keys(target.env).filter((name) => loading.test(name));
  return [
    ...(launcherWords.length > 0
      ? [`${target.command} itself gets ${launcherWords.map(shellWord).join(' ')}: this may start other code`]
      : []),
    ...names.map((name) => `${name} decides which code is loaded`),
  ];
}
