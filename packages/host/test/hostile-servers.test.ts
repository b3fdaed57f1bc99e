import { fileURLToPath } from 'node:url';
import { runProgram } from '@mcp/test-kit';
import { afterAll, expect, test, vi } from 'vitest';
import { program, Workspace } from './workspace.ts';

// They start many servers.
vi.setConfig({ testTimeout: 120_000 });

const script = fileURLToPath(new URL('hostile-server.mjs', import.meta.url));

/** Servers that break the protocol in the handshake or in a list, with a part of the error that says so. */
const unlistable: Readonly<Record<string, string>> = {
  silent: 'no answer to the handshake within 3 s',
  dies: 'ended: exit code 3; on stderr it wrote:',
  'unknown revision': '1999-01-01',
  'no object': '"result" must be an object',
  'error with escapes': 'go away',
  'deep nesting': 'no answer to the handshake within 3 s',
  'tools are no list': '"tools"',
  'tool without a name': 'tools/list',
  'endless pages': 'tools/list',
  'error in a list': 'no list',
  'deep schema': 'the list of tools has "deep", nested deeper than 500 levels',
};

/** Servers that break the protocol in a call: the printed error, and the exit code. */
const uncallable: readonly (readonly [fault: string, printed: string, exitCode: number])[] = [
  ['content is no list', '"content"', 4],
  ['block without a type', '', 4],
  ['wrong id', 'No response to tools/call within 1000 ms', 6],
  ['dies in a message', 'ended: exit code 0', 4],
  ['line of 70 MiB', 'tools/call', 4],
  ['rubbish', 'done', 0],
  ['image that is not one', '[', 0],
];

const hostile = (fault: string) => ({
  command: process.execPath,
  args: [script, fault],
  ...(unlistable[fault]?.endsWith('within 3 s') && { connectionTimeout: 3_000 }),
});
const workspace = new Workspace({
  ...Object.fromEntries(Object.keys(unlistable).map((fault) => [fault, hostile(fault)])),
  ...Object.fromEntries(uncallable.map(([fault]) => [fault, hostile(fault)])),
});
afterAll(() => workspace[Symbol.dispose]());

const noEscapes = /^(?:\P{Cc}|\s)*$/u;

test('of servers that break the protocol each has its own error, and the others list their tools', async () => {
  const { stdout, stderr, code } = await workspace.mcp(['--json', 'tools']);
  expect(code).toBe(4);
  expect(stderr).toMatch(noEscapes);
  const listed = JSON.parse(stdout) as Record<string, { error?: string; tools?: object[] }>;
  expect(listed['fix']!.tools!.length).toBeGreaterThan(5);
  for (const [fault] of uncallable) expect(listed[fault]!.tools, fault).toHaveLength(1);
  for (const [fault, message] of Object.entries(unlistable))
    expect(listed[fault]!.error, fault).toContain(message);
});

test('a tool that cannot be pinned is in no list, for no model, and cannot be called', async () => {
  const anthropic = await workspace.mcp(['tools', '--format', 'anthropic']);
  expect(JSON.parse(anthropic.stdout)).toContainEqual(expect.objectContaining({ name: 'fix__echo' }));
  for (const args of [
    ['call', 'deep schema.deep'],
    ['show', 'deep schema.deep'],
    ['trust', 'deep schema'],
  ]) {
    const { stdout, stderr, code } = await workspace.mcp(args);
    expect({ stdout, code }, args.join(' ')).toEqual({ stdout: '', code: 4 });
    expect(stderr).toContain('deep schema: the list of tools has "deep", nested deeper than 500 levels\n');
  }
});

test('a name of 100,000 letters is compared with patterns immediately', async () => {
  const s = { ...hostile('long name'), blockedTools: ['*read*', '*a*a*a*b'] };
  const file = workspace.directory.put('patterns.json', JSON.stringify({ mcpServers: { s } }));
  const { stdout } = await runProgram(program, ['--config', file, '--json', 'tools'], { env: workspace.env });
  expect(JSON.parse(stdout)).toMatchObject({ s: { tools: [{ inputSchema: { type: 'object' } }] } });
});

test('a call whose answer breaks the protocol ends with an error or with what could be read', async () => {
  const results = await Promise.all(
    uncallable.map(([fault, , exitCode]) =>
      workspace.mcp(['call', `${fault}.do`, ...(exitCode === 6 ? ['--timeout', '1'] : [])]),
    ),
  );
  expect(
    results.map(({ stdout, stderr, code }, index) => {
      const [fault, printed] = uncallable[index]!;
      expect(stdout + stderr, fault).toMatch(noEscapes);
      expect(stdout + stderr, fault).toContain(printed);
      return [fault, code];
    }),
  ).toEqual(uncallable.map(([fault, , exitCode]) => [fault, exitCode]));
});
