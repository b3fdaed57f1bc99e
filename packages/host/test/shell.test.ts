import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hasTerminals, Terminal } from './terminal.ts';
import { Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

const pipe = (...lines: string[]) =>
  workspace.mcp(['shell'], { input: lines.map((line) => `${line}\n`).join('') });

describe('without a terminal, mcp shell', () => {
  test('runs one command per line, over one connection, and ends with the code of the last one', async () => {
    const { stdout, stderr, code } = await pipe(
      '# a comment, and an empty line',
      '',
      'call fix.echo text="two words"',
      'call fix.job --task',
      'task list fix',
      '--json call fix.echo text=json',
      'call fix.fail',
    );
    expect(stderr).toBe('');
    const [echoed, started, listed, json, failure] = stdout.trim().split('\n');
    expect(echoed).toBe('two words');
    // The same task in the same process: it would have failed in another one.
    expect(started).toMatch(/^\S+ {2}working {2}Working$/);
    expect(listed).toBe(started);
    expect(JSON.parse(json!)).toMatchObject({ content: [{ text: 'json' }] });
    expect(failure).toContain('It failed');
    expect(code).toBe(5);
  });

  test('continues after a mistake, whose message names it', async () => {
    const { stdout, stderr, code } = await pipe(
      'cal fix.echo',
      "call 'fix.echo",
      'again text=2',
      'call fix.echo text=on',
      'exit',
      'x',
    );
    expect(stdout).toBe('on\n');
    expect(stderr).toContain('Unknown command: "cal"; did you mean "call"?');
    expect(stderr).toContain("A quote is not closed: '");
    expect(stderr).toContain('The shell does not have this command: run mcp again outside of it');
    expect(code).toBe(0);
  });

  test('runs the commands that mcp prints, which begin with the program', async () => {
    const lines = ['mcp call fix.echo text=1', 'mcp-host call fix.echo text=2'];
    const { stdout, stderr } = await pipe(...lines, 'npx -y @mcp/host call fix.echo text=3');
    expect({ stdout, stderr }).toEqual({ stdout: '1\n2\n3\n', stderr: '' });
  });

  test('refuses an option that it applies only when it starts, unless it has started with it', async () => {
    const input = 'call fix.echo text=1 --revision 2025-06-18\n--yes call fix.echo text=2\n';
    const started = ['--revision', '2025-06-18', 'shell'];
    const { stdout, stderr, code } = await workspace.mcp(started, { input });
    expect({ stdout, code }).toEqual({ stdout: '1\n', code: 1 });
    expect(stderr).toContain('--yes cannot be changed inside a shell\n');
    expect(stderr).toMatch(/ {2}mcp .*shell --yes starts a shell with it\n/);
    expect((await pipe('ping fix --revision 2025-06-18')).code).toBe(1);
  });
});

describe.skipIf(!hasTerminals)('in a terminal, mcp shell', () => {
  test('completes with Tab, cancels a call with Ctrl-C, keeps a history, and ends with Ctrl-D', async () => {
    const terminal = new Terminal(workspace.commandLine('shell'), { env: workspace.env });
    await terminal.shows(/mcp> /);
    terminal.type('call fix.ec\t');
    await terminal.shows(/fix\.echo /);
    terminal.type('te\t');
    await terminal.shows(/text=/);
    terminal.type('hello\r');
    await terminal.shows(/\r\nhello\r\n/);
    await terminal.shows(/mcp> /);
    terminal.type('prompt fix.greet language=es\t');
    await terminal.shows(/language=estonian /);
    terminal.type('\r');
    await terminal.shows(/Greet me in estonian\./);
    await terminal.shows(/mcp> /);
    terminal.type('call fix.wait\r');
    await terminal.shows(/█{10}░{10} 1\/2 waiting/);
    terminal.type('\u0003');
    await terminal.shows(/Interrupted/);
    await terminal.shows(/mcp> /);
    terminal.type('half\u0003');
    await terminal.shows(/\^C/);
    await terminal.shows(/mcp> /);
    terminal.type('\u001b[A\u001b[A\r');
    await terminal.shows(/Greet me in estonian\./);
    await terminal.shows(/mcp> /);
    terminal.type('call fix.echo text=ghp_notInTheHistory\r');
    await terminal.shows(/\r\nghp_notInTheHistory\r\n/);
    await terminal.shows(/mcp> /);
    terminal.type('\u0004');
    expect(await terminal.ended()).toBe(0);
    expect(existsSync(`${workspace.watched}.cancelled`)).toBe(true);
    const history = join(workspace.env.XDG_STATE_HOME, 'mcp/history');
    expect(statSync(history).mode & 0o777).toBe(0o600);
    expect(readFileSync(history, 'utf8')).toContain('call fix.echo text=hello\n');
    expect(readFileSync(history, 'utf8')).not.toContain('ghp_');
  });
});
