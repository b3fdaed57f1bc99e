import { conversation, explainsItself, responses } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { program, programName, run } from './program.ts';
import { sh, Workspace } from './workspace.ts';

test('the program answers over pipes, writes only messages to stdout, and exits with 0 after its input', async () => {
  using workspace = new Workspace({ say: sh('echo said') });
  const { stdout, stderr, code } = await run([workspace.file], {
    input: conversation('not a message', ['tools/call', { name: 'say', arguments: {} }]),
  });
  const { count, get } = responses(stdout);
  expect(count).toBe(3);
  expect(get(1).result).toMatchObject({ instructions: expect.stringContaining('They are not sandboxed.') });
  expect(get(undefined).error).toMatchObject({ code: -32700 });
  expect(get(2).result).toMatchObject({ content: [{ text: expect.stringMatching(/^Done.*\n1\tsaid$/) }] });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('--structured answers with structured content, whose schema is listed', async () => {
  using workspace = new Workspace({ fails: sh('seq 1 3000; echo "Error: x"; exit 2') });
  const { stdout } = await run(['--structured', workspace.file], {
    input: conversation(
      ['tools/list', {}],
      ['tools/call', { name: 'fails', arguments: {} }],
      ['tools/call', { name: 'read_output', arguments: { cursor: '1:3000:0' } }],
    ),
  });
  const { get } = responses(stdout);
  expect(get(2).result).toMatchObject({ tools: [{ outputSchema: {} }, { outputSchema: {} }] });
  expect(get(3).result).toMatchObject({
    structuredContent: {
      run: 1,
      exitCode: 2,
      signal: null,
      stopped: null,
      lines: 3001,
      sandbox: null,
      failures: [{ line: 3001, text: 'Error: x' }],
      failingLines: 1,
    },
  });
});

test('--help and --version print to stdout and exit with 0', () =>
  explainsItself(program, ['<commands.json>', 'allow', '--structured', '--http']));

test('a wrong argument is reported on stderr with exit code 2', async () => {
  for (const [args, message] of [
    [[], 'Missing argument: the file that names the commands'],
    [['a', 'b'], 'Unexpected argument: "b"'],
    [['--structurd'], 'Unknown option: "--structurd"; did you mean "--structured"?'],
  ] as const) {
    const { stdout, stderr, code } = await run(args);
    expect({ stdout, code, message: stderr.split('\n')[0] }).toEqual({
      stdout: '',
      code: 2,
      message: `${programName}: ${message}`,
    });
  }
});

test('the printed command that allows a script does so', async () => {
  using workspace = new Workspace({ test: { description: '-', script: 'test' } });
  workspace.put('package.json', '{ "scripts": { "test": "echo tested" } }');
  const call = ['tools/call', { name: 'test', arguments: {} }] as const;
  const refused = responses((await run([workspace.file], { input: conversation(call) })).stdout).get(2);
  const [{ text }] = refused.result!['content'] as [{ text: string }];
  const [, command = ''] = /allows it by running: (.*)$/.exec(text) ?? [];
  const [node, main, ...args] = command.split(' ');
  expect([node, main]).toEqual([process.execPath, program]);
  expect((await run(args, { input: 'y\n' })).code).toBe(0);
  const allowed = responses((await run([workspace.file], { input: conversation(call) })).stdout).get(2);
  expect(allowed.result).toMatchObject({ content: [{ text: expect.stringContaining('1\ttested') }] });
});
