import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { onTestFinished } from 'vitest';
import { program } from './workspace.ts';

interface Explained {
  readonly file: string;
  readonly target: {
    readonly command?: string;
    readonly args?: readonly string[];
    readonly env?: object;
    readonly url?: string;
    readonly headers?: object;
  };
}

/** A home directory and a project, and how to run `mcp` there. */
export function place() {
  const directory = new TemporaryDirectory('host-configure');
  onTestFinished(() => directory[Symbol.dispose]());
  const home = join(directory.base, 'home');
  mkdirSync(home);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_STATE_HOME: join(directory.base, 'state'),
    XDG_CACHE_HOME: join(directory.base, 'cache'),
    TEAM: 'blue',
  };
  const mcp = (...words: string[]) => runProgram(program, words, { env, cwd: directory.root });
  const explained = async (name: string, ...words: string[]) =>
    JSON.parse((await mcp('--json', ...words, 'config', 'explain', name)).stdout) as Explained;
  const write = (path: string, text: string) => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const backups = () => {
    const kept = join(directory.base, 'state/mcp/backups');
    return existsSync(kept) ? readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8')) : [];
  };
  return { directory, home, env, mcp, explained, write, backups, root: directory.root };
}
