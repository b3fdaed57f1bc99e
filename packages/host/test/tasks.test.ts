import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { hasTerminals, Terminal } from './terminal.ts';
import { Workspace } from './workspace.ts';

const script = fileURLToPath(new URL('core-tasks-server.mjs', import.meta.url));
const workspace = new Workspace({ core: { command: process.execPath, args: [script] } });
afterAll(() => workspace[Symbol.dispose]());

const shell = (...lines: string[]) =>
  workspace.mcp(['shell'], { input: lines.map((line) => `${line}\n`).join('') });

test('a task of 2025-11-25 is started, listed, followed to its result and cancelled', async () => {
  const { stdout, stderr, code } = await shell(
    'call core.job --task',
    'task list core',
    'task get core core-1',
    'task follow core core-1',
    'task result core core-1',
    'task cancel core core-1',
  );
  expect(stdout.split('\n')).toEqual([
    'core-1  working',
    'core-1  working',
    'core-1  working',
    'core-1  working',
    'core-1  completed',
    'the core result',
    'the core result',
    '',
  ]);
  expect(stderr).toBe('Cancelled core-1\n');
  expect(code).toBe(0);
});

test('a tool that does not run as a task refuses --task, and so does a server without tasks', async () => {
  const { stderr, code } = await workspace.mcp(['call', 'core.quick', '--task']);
  expect(stderr).toContain('The tool "quick" of "core" does not run as a task');
  expect(code).toBe(5);
  const old = await workspace.mcp(['call', 'fix.job', '--task', '--revision', '2025-06-18']);
  expect(old.stderr).toContain('The server "fix" does not support tasks');
  expect(old.code).toBe(5);
});

test.skipIf(!hasTerminals)(
  'a task of 2026-07-28 is followed to its result in a shell, and Ctrl-C leaves it running',
  async () => {
    const terminal = new Terminal(workspace.commandLine('shell'), { env: workspace.env, columns: 120 });
    await terminal.shows(/mcp> /);
    terminal.type('call fix.job --task\r');
    const [, id] = /\r\n(\S+) {2}working/.exec(await terminal.shows(/Working\r\n/))!;
    await terminal.shows(/mcp> /);
    // Ctrl-C is typed before the terminal is in its usual mode again, and after.
    terminal.type(`task result fix ${id}\r\u0003`);
    await terminal.shows(/Interrupted[\s\S]*mcp> /);
    terminal.type(`task follow fix ${id}\r`);
    await terminal.shows(/\S+ {2}working {2}Working\r\n/);
    terminal.type('\u0003');
    await terminal.shows(/Interrupted[\s\S]*mcp> /);
    terminal.type(`task follow fix ${id}\r`);
    await terminal.shows(/\S+ {2}working {2}Working\r\n/);
    appendFileSync(workspace.watched, 'go\n');
    expect(await terminal.shows(/The job is done/)).toContain(`${id}  completed`);
    await terminal.shows(/mcp> /);
    terminal.type('task list fix\r');
    await terminal.shows(/There are no tasks of fix/);
    terminal.type('exit\r');
    expect(await terminal.ended()).toBe(0);
  },
);

test('a task is remembered by its id where the server keeps no list', async () => {
  const started = await workspace.mcp(['--json', 'call', 'fix.job', '--task']);
  const { taskId } = JSON.parse(started.stdout) as { taskId: string };
  expect(started.stderr).toContain('fix ends with this command');
  const listed = await workspace.mcp(['--json', 'task', 'list', 'fix']);
  expect(JSON.parse(listed.stdout)).toEqual({
    tasks: [expect.objectContaining({ taskId, status: 'failed', tool: 'job' })],
  });
});
