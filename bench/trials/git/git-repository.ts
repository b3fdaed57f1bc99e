import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from '../../trial.ts';

const home = mkdtempSync(join(tmpdir(), 'bench-git-'));
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
// The user's git configuration is not read.
export const environment = {
  ...(process.env as { [name: string]: string }),
  HOME: home,
  XDG_CONFIG_HOME: home,
};

const identity = 'committer a <a@example.com>';

function run(directory: string, args: readonly string[], input?: string): void {
  execFileSync('git', args, {
    cwd: directory,
    env: environment,
    input,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}

/** A repository made of a stream for `git fast-import`. */
export function repositoryOf(stream: string): string {
  const directory = mkdtempSync(join(home, 'repository-'));
  run(directory, ['init', '--quiet', '--initial-branch=main']);
  run(directory, ['fast-import', '--quiet'], stream);
  run(directory, ['reset', '--quiet', '--hard']);
  return directory;
}

/** 2,000 commits, 3,000 files, and changes in 20 of them. */
export function ordinaryRepository(): string {
  const parts: string[] = [];
  for (let index = 1; index <= 2_000; index++) {
    const lines = Array.from(
      { length: 40 },
      (_, line) => `line ${line} ${line === index % 40 ? index : 0}\n`,
    ).join('');
    parts.push(commit(index, `commit ${index}`));
    if (index === 1)
      for (let file = 0; file < 3_000; file++)
        parts.push(inline(`d${file % 50}/f${file}.txt`, `${'x'.repeat(199)}\n`));
    parts.push(inline('d0/f0.txt', lines));
  }
  const directory = repositoryOf(parts.join(''));
  for (let file = 1; file <= 20; file++)
    writeFileSync(join(directory, `d${file}/f${file}.txt`), `${'y'.repeat(199)}\n`);
  return directory;
}

/** A history of so many commits. */
export function longRepository(commits: number): string {
  return repositoryOf(
    Array.from({ length: commits }, (_, index) => commit(index + 1, `commit ${index + 1}`)).join(''),
  );
}

/** A history of so many commits, of which one in a hundred changes the file `f.txt`. */
export function changedRepository(commits: number): string {
  return repositoryOf(
    Array.from({ length: commits }, (_, index) => {
      const change = index % 100 === 0 ? inline('f.txt', `change ${index}\n`) : '';
      return commit(index + 1, `commit ${index + 1}`) + change;
    }).join(''),
  );
}

/** A change of 60 MB that is not staged. */
export function largeRepository(): string {
  const directory = repositoryOf(commit(1, 'first') + inline('large.txt', 'small\n'));
  const line = `${'z'.repeat(119)}\n`;
  writeFileSync(join(directory, 'large.txt'), line.repeat((60 * 1024 * 1024) / line.length));
  return directory;
}

function commit(mark: number, message: string): string {
  const from = mark > 1 ? `from :${mark - 1}\n` : '';
  return `commit refs/heads/main\nmark :${mark}\n${identity} ${1_700_000_000 + mark} +0000\ndata ${message.length}\n${message}\n${from}`;
}

function inline(path: string, content: string): string {
  return `M 100644 inline ${path}\ndata ${content.length}\n${content}\n`;
}

export const ours: Program = {
  args: [fileURLToPath(new URL('../../../servers/git/dist/main.cjs', import.meta.url))],
  env: environment,
};

export const cyanheads: Program = {
  args: [fileURLToPath(import.meta.resolve('@cyanheads/git-mcp-server'))],
  env: { ...environment, MCP_LOG_LEVEL: 'error', MCP_TRANSPORT_TYPE: 'stdio' },
};
