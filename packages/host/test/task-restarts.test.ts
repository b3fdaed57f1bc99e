import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { runProgram } from '@mcp/test-kit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { coreServer, extensionServer, TaskServer } from './task-server.ts';
import { program, Workspace } from './workspace.ts';

/** A server that is up, and commands of a user who has configured it. */
async function started({ listener, finish }: ReturnType<typeof extensionServer>) {
  const server = await new TaskServer(listener).up();
  const workspace = new Workspace({ jobs: { type: 'http', url: server.url } });
  onTestFinished(async () => {
    workspace[Symbol.dispose]();
    await server.down();
  });
  const start = async () => {
    const { stdout } = await workspace.mcp(['--json', 'call', 'jobs.job', '--task']);
    return (JSON.parse(stdout) as { taskId: string }).taskId;
  };
  const listed = async () => {
    const { stdout } = await workspace.mcp(['--json', 'task', 'list', 'jobs']);
    return (JSON.parse(stdout) as { tasks: readonly object[] }).tasks;
  };
  const follow = (taskId: string) => {
    const args = [program, '--config', workspace.configuration, 'task', 'follow', 'jobs', taskId];
    const child = spawn(process.execPath, args, { env: workspace.env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](), child };
  };
  return { server, workspace, finish, start, listed, follow };
}

const nextLine = async (lines: AsyncIterator<string>) => (await lines.next()).value as string;

describe.each([
  ['the extension of 2026-07-28', extensionServer],
  ['2025-11-25', coreServer],
])('a task of %s that one process has started', (_, serverOf) => {
  test('is listed, followed to its result and cancelled by later ones', async () => {
    const { workspace, finish, start, listed, follow } = await started(serverOf());
    const [first, second] = [await start(), await start()];
    expect(await listed()).toEqual([
      expect.objectContaining({ taskId: first, status: 'working', tool: 'job' }),
      expect.objectContaining({ taskId: second, status: 'working', tool: 'job' }),
    ]);
    const cancelled = await workspace.mcp(['task', 'cancel', 'jobs', second]);
    expect(cancelled).toMatchObject({ stderr: `Cancelled ${second}\n`, code: 0 });
    const { lines } = follow(first);
    expect(await nextLine(lines)).toContain(`${first}  working`);
    finish();
    expect(await nextLine(lines)).toContain(`${first}  completed`);
    expect(await nextLine(lines)).toBe('The job is done');
    expect(await listed()).toEqual([]);
  });

  test('is followed across a restart of its server', async () => {
    const { server, finish, start, follow } = await started(serverOf());
    const taskId = await start();
    const { lines, child } = follow(taskId);
    expect(await nextLine(lines)).toContain(`${taskId}  working`);
    await server.down();
    const lost = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    expect(await nextLine(lost)).toMatch(/^jobs cannot be reached, and will be tried again: /);
    await server.up();
    finish();
    expect(await nextLine(lines)).toContain(`${taskId}  completed`);
    expect(await nextLine(lines)).toBe('The job is done');
  });
});

test('a task belongs to the server that it was started on, not to another of the same name', async () => {
  const { workspace, start, listed } = await started(extensionServer());
  const taskId = await start();
  await using other = await new TaskServer(extensionServer().listener).up();
  const mcpServers = { jobs: { type: 'http', url: other.url } };
  const file = workspace.directory.put('other.json', JSON.stringify({ mcpServers }));
  const elsewhere = await runProgram(program, ['--config', file, 'task', 'list', 'jobs'], workspace);
  expect(elsewhere).toEqual({ stdout: 'There are no tasks of jobs.\n', stderr: '', code: 0 });
  expect(await listed()).toEqual([expect.objectContaining({ taskId, status: 'working' })]);
});
