import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { smallServer } from './small-server.ts';
import { program, quoted, Workspace } from './workspace.ts';

/** A directory beside configurations that only `--config` finds, and a shell in it that has `mcp`. */
function project() {
  const workspace = new Workspace();
  onTestFinished(() => workspace[Symbol.dispose]());
  const { env, directory } = workspace;
  const cwd = join(directory.root, 'project');
  mkdirSync(cwd);
  const small = smallServer(directory);
  copyFileSync(small.args[0]!, join(cwd, 'local.cjs'));
  const put = (file: string, mcpServers: object) => directory.put(file, JSON.stringify({ mcpServers }));
  put('servers.json', { small, local: { ...small, args: ['local.cjs'] } });
  put('other servers.json', { other: small });
  put('mcp-login-a8iF1X9b2/servers.json', {});
  // As in the random name of a temporary directory: no random token, because its names are short.
  const mixed = join(directory.root, 'a1b2c3', 'd4e5f6');
  mkdirSync(mixed, { recursive: true });
  copyFileSync(small.args[0]!, join(mixed, 'local.cjs'));
  /** Runs a printed command as a user pastes it; returns its exit code. */
  const paste = (command: string) => {
    const shell = `mcp() { ${quoted(process.execPath)} ${quoted(program)} "$@"; }\n${command}`;
    return new Promise<number>((resolve) => {
      const child = execFile('/bin/sh', ['-c', shell], { env, cwd }, () => resolve(child.exitCode ?? -1));
      child.stdin?.end();
    });
  };
  return { mcp: (words: readonly string[]) => runProgram(program, words, { env, cwd }), paste, small, mixed };
}

test.skipIf(process.platform === 'win32')(
  'a printed command is for the servers of the command that was typed',
  async () => {
    const { mcp, paste, small, mixed } = project();
    const random = join('..', 'mcp-login-a8iF1X9b2', 'servers.json');
    const files = ['--config', '../servers.json', '--config=../other servers.json', '--config', random];
    const typed = [
      [...files, 'call', 'other.nope'],
      [...files, 'call', 'small'],
      [...files, 'ping', 'nope'],
      [...files, 'tools', 'local'],
      [...files, '--revision', '2025-11-25', 'prompt', 'small.nope'],
      ['call', 'nope', '--', small.command, ...small.args],
      ['call', 'nope', '--', small.command, join(mixed, 'local.cjs')],
      ['call', 'http://127.0.0.1:1/mcp', 'x'],
      ['call', 'http://127.0.0.1:1/mcp?a=b&api_key=abc', 'x', '--header', 'X-Any: abc'],
    ];
    for (const words of typed) {
      const { stdout, stderr, code } = await mcp(words);
      expect(code).not.toBe(0);
      const [command = 'false'] = /(?<=run |: |^ {2})mcp .*?(?= shows| in "|$)/m.exec(stderr) ?? [];
      expect(await paste(command), `${words.join(' ')} prints: ${stdout}${stderr}`).toBe(0);
    }
  },
);

test('a printed command has a placeholder for each secret that was typed', async () => {
  const { mcp, small } = project();
  const words = ['call', 'nope', '--', small.command, ...small.args, '--api-key=abc', 'ghp_0123456789'];
  const { stderr } = await mcp(words);
  expect(stderr).toContain('--api-key=<secret> <secret>');
  expect(stderr).not.toMatch(/abc|ghp_|•/);
  const remote = await mcp(['call', 'http://127.0.0.1:1/?a=b&api_key=abc', 'x', '--header', 'X-Any: abc']);
  expect(remote.stderr).toContain(
    "--header 'X-Any: <secret>' config 'http://127.0.0.1:1/?a=b&api_key=<secret>'",
  );
  expect(remote.stderr).not.toContain('abc');
});
