import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
      { env: { ...process.env, ...(await visitor(base)), NO_COLOR: '1' } },
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

/** The environment of a visitor who has servers in three hosts, and has counted their tools once. */
async function visitor(base: string): Promise<Record<string, string>> {
  const home = join(base, 'home');
  const server = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [join(repository, `servers/${name}/dist/main.cjs`), ...args],
    cwd: base,
  });
  const files = {
    '.claude.json': { mcpServers: { files: server('filesystem', base), git: server('git') } },
    '.cursor/mcp.json': { mcpServers: { weather: server('weather', '--demo', '--data', join(base, 'w')) } },
    '.gemini/settings.json': { mcpServers: { books: server('sqlite', join(base, 'books.db')) } },
  };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(home, file, '..'), { recursive: true });
    writeFileSync(join(home, file), JSON.stringify(content));
  }
  copyFileSync(join(repository, 'servers/sqlite/dist/sample.db'), join(base, 'books.db'));
  const env = { HOME: home, XDG_STATE_HOME: join(base, 'state'), XDG_CACHE_HOME: join(base, 'cache') };
  await promisify(execFile)(
    process.execPath,
    [join(repository, 'packages/host/dist/main.cjs'), 'cost', '--start'],
    { cwd: base, env: { ...process.env, ...env } },
  );
  return env;
}
