import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeWords } from '../src/command-line/completion/complete-words.ts';
import { serverSuggestions } from '../src/command-line/completion/server-suggestions.ts';
import { commands } from '../src/commands/commands.ts';
import { openServers } from '../src/index.ts';
import { hasTerminals, Terminal } from './terminal.ts';
import { Workspace } from './workspace.ts';

const hostile = fileURLToPath(new URL('hostile-server.mjs', import.meta.url));
const workspace = new Workspace({
  broken: { command: '/nowhere/server' },
  evil: { command: process.execPath, args: [hostile, 'name with a command'] },
});
afterAll(() => workspace[Symbol.dispose]());

const bin = join(workspace.directory.base, 'bin');
const env = { ...workspace.env, PATH: `${bin}${delimiter}${workspace.env.PATH}` };

beforeAll(async () => {
  // The command by both of its names, and the lists of `fix` in the cache.
  mkdirSync(bin);
  for (const name of ['mcp', 'mcp-host']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${workspace.commandLine()} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  for (const list of ['tools', 'resources', 'prompts']) await workspace.mcp([list, 'fix']);
  await workspace.mcp(['tools', 'evil']);
});

function hasShell(shell: string): boolean {
  const { error } = spawnSync(shell, ['-c', 'exit']);
  if (error) process.stdout.write(`Skipped: completion in ${shell}: it is not installed\n`);
  return !error;
}

/** The suggestions for a command line, from the lists that the program has cached. */
async function suggestions(...words: string[]): Promise<string[]> {
  const { XDG_STATE_HOME, XDG_CACHE_HOME } = workspace.env;
  const directories = { state: join(XDG_STATE_HOME, 'mcp'), cache: join(XDG_CACHE_HOME, 'mcp/host') };
  const load = { files: [workspace.configuration] };
  await using servers = await openServers({ load, directories });
  const found = await completeWords(words, commands, serverSuggestions(servers, { canOpen: false }));
  return found.map(({ value }) => value);
}

describe('the words that are suggested', () => {
  test.each([
    [['wa'], ['watch']],
    [['call', '--ti'], ['--timeout']],
    [['add', 'x', '--to', 'cur'], ['cursor']],
    [['import', 'fix', '--to', 'wind'], ['windsurf']],
    [['remove', 'fi'], ['fix']],
    [
      ['cost', '--st'],
      ['--start', '--start-timeout'],
    ],
    [['config', 'ch'], ['check']],
    [['again', '--pi'], ['--pick']],
    [
      ['tools', '--format', 'openai'],
      ['openai', 'openai-responses'],
    ],
    [['--log', 'not'], ['notice']],
    [
      ['tools', ''],
      ['fix', 'broken', 'evil'],
    ],
    [
      ['call', ''],
      ['fix.', 'broken.', 'evil.'],
    ],
    [['call', 'fix.ec'], ['fix.echo']],
    [['call', 'fix/pic'], ['fix/picture']],
    [['call', 'fix.echo', 's'], ['suffix=']],
    [['call', 'fix.echo', 'text=a', 't'], []],
    [
      ['call', 'fix.echo', 'suffix='],
      ['suffix=!', 'suffix=?'],
    ],
    [['read', 'fix', ''], ['note:///first']],
    [['watch', 'fix', 'note:'], ['note:///first']],
    [['prompt', 'fix.'], ['fix.greet']],
    [['prompt', 'fix.greet', ''], ['language=']],
    [['complete', 'fix.note'], ['fix.note:///{id}']],
    [['config', 'ex'], ['explain']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['tools', '--', 'no'], []],
  ])('for %j are %j', async (words, expected) => {
    expect(await suggestions('--config', workspace.configuration, ...words)).toEqual(expected);
  });

  test('come from the cache: a server that cannot be started suggests nothing, immediately', async () => {
    const { stdout, stderr, code } = await workspace.mcp(['__complete', 'call', 'broken.']);
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: '', code: 0 });
    expect((await workspace.mcp(['__complete', 'call', 'fix.ec'])).stdout).toBe(
      'fix.echo\tReturns the text.\n',
    );
  });
});

describe.skipIf(!hasShell('bash'))('bash', () => {
  /** What bash would insert for a line whose cursor is at its end. */
  const complete = (line: string, words: readonly string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `source <(mcp completion bash); COMP_LINE=$1 COMP_POINT=\${#1}; shift
         COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _mcp; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        line,
        ...words,
      ],
      { env, encoding: 'utf8' },
    ).trim();

  test.each([
    ['mcp wat', ['mcp', 'wat'], 'watch'],
    ['mcp call fix.ec', ['mcp', 'call', 'fix.ec'], 'fix.echo'],
    // bash splits at the equals sign and at the colon.
    ['mcp call fix.echo suffix=', ['mcp', 'call', 'fix.echo', 'suffix', '='], '\\!\n\\?'],
    ['mcp read fix note:', ['mcp', 'read', 'fix', 'note', ':'], '///first'],
    // A name of a server is no command.
    ['mcp call evil.', ['mcp', 'call', 'evil.'], String.raw`evil.a\;echo\ owned\;\$\(echo\ owned\)`],
  ])('completes %j', (line, words, expected) => {
    expect(complete(line, words)).toBe(expected);
  });

  test.skipIf(!hasTerminals).each(['mcp', 'mcp-host'])(
    'completes %s with Tab in a terminal',
    async (name) => {
      const terminal = new Terminal('bash --norc --noprofile -i', { env: { ...env, PS1: 'ready> ' } });
      terminal.type('source <(mcp completion bash); PS1="done> "\r');
      await terminal.shows(/done> (?!")/);
      terminal.type(`${name} call fix.ec\t`);
      await terminal.shows(/fix\.echo /);
      terminal.type('te\t');
      await terminal.shows(/text=/);
      terminal.type('hi\r');
      await terminal.shows(/[\r\n]hi\r\n/);
      terminal.type('exit\r');
      await terminal.ended();
    },
  );
});

describe.skipIf(!hasShell('zsh') || !hasTerminals)('zsh', () => {
  test.each(['mcp', 'mcp-host'])('completes %s with Tab in a terminal', async (name) => {
    const terminal = new Terminal('zsh -f -i', { env: { ...env, PS1: 'ready> ' } });
    await terminal.shows(/ready> /);
    terminal.type('autoload -Uz compinit && compinit -u -D; source <(mcp completion zsh); PS1="done> "\r');
    await terminal.shows(/\ndone> |\rdone> |done> (?!")/);
    terminal.type(`${name} call fix.ec\t`);
    await terminal.shows(/fix\.echo? ?/);
    terminal.type('te\t');
    await terminal.shows(/text=/);
    terminal.type('hi\r');
    await terminal.shows(/[\r\n]hi\r\n/);
    terminal.type('exit\r');
    await terminal.ended();
  });
});

describe.skipIf(!hasShell('fish'))('fish', () => {
  test.each([
    ['mcp wat', 'watch\tprints a line'],
    ['mcp-host wat', 'watch\tprints a line'],
    ['mcp call fix.ec', 'fix.echo\tReturns the text.'],
    ['mcp call fix.echo suff', 'suffix='],
    ['mcp read fix note', 'note:///first\tfirst'],
  ])('completes %j', (line, expected) => {
    const script = `mcp completion fish | source; complete -C '${line}'`;
    expect(execFileSync('fish', ['--no-config', '-c', script], { env, encoding: 'utf8' })).toContain(
      expected,
    );
  });
});
