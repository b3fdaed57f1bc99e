import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from '../../trial.ts';

const main = fileURLToPath(new URL('../../../servers/run/dist/main.cjs', import.meta.url));

/** The published server with one command, `version`, which prints the version of git. */
export function runProgram(sandbox: 'required' | 'off'): Program {
  const home = mkdtempSync(join(tmpdir(), 'bench-run-'));
  const file = join(home, 'commands.json');
  writeFileSync(
    file,
    JSON.stringify({
      writable: [],
      sandbox,
      cwd: home,
      commands: { version: { description: 'Prints the version of git.', argv: ['git', '--version'] } },
    }),
  );
  // Node's compile cache is in one of these directories, so that a trial starts the program once before it
  // measures.
  return {
    args: [main, file],
    env: { XDG_DATA_HOME: join(home, 'data'), XDG_CACHE_HOME: join(home, 'cache') },
  };
}
