import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '..');
const date = '2026-11-20T09:00:00Z';

/**
 * Runs the tour on a small repository, and returns its output with short paths in place of temporary ones,
 * and without times: the times of four servers that start together on a busy machine say
 * nothing about one of them.
 */
export async function tourSession(): Promise<string> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tour-')));
  try {
    const garden = join(base, 'garden');
    mkdirSync(garden);
    writeFileSync(join(garden, 'README.md'), '# Garden\n\nWhat grows where, and what to do next.\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Rosa', '-c', 'user.email=rosa@example.com', ...args], {
        cwd: garden,
        env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      });
    git('init', '--quiet');
    git('add', 'README.md');
    git('commit', '--quiet', '--message', 'Plant the beans');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(repository, 'scripts/tour.ts'), garden],
      { env: { ...process.env, NO_COLOR: '1' } },
    );
    return stdout
      .trimStart()
      .replaceAll(base, '~')
      .replace(/\d+ ms/g, '… ms')
      .replace(/file:\/\/\/\S*mcp-tour-\w+\//g, 'file:///tmp/tour/');
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
