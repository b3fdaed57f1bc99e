import { chmodSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { schemaChanges } from '../src/commands/diff/schema-changes.ts';
import { smallServer } from './small-server.ts';
import { quoted, Workspace } from './workspace.ts';

const schema = (properties: object, required: readonly string[] = []) =>
  JSON.stringify({ type: 'object', properties, required });
const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());
const { command, args } = smallServer(workspace.directory);
const entry = (env: object) => ({ command, args, env });

describe.skipIf(process.platform === 'win32')('mcp diff', () => {
  /** An `npx` whose package `small` has the tool `gone` in version 1, and `fresh` in version 2. */
  const npx = workspace.directory.put(
    'bin/npx',
    `#!/bin/sh\n[ "$2" = small@1 ] && export TOOLS='pid gone' || export TOOLS='pid fresh'\nexec ${quoted(command)} ${args.map(quoted).join(' ')}\n`,
  );
  chmodSync(npx, 0o755);
  const configuration = workspace.directory.put(
    'diff.json',
    JSON.stringify({
      mcpServers: {
        packed: { command: 'npx', args: ['-y', 'small@2'] },
        from: { command: 'uvx', args: ['--from', 'small', 'run'] },
        old: entry({ TOOLS: 'sum', SCHEMA: schema({ a: { type: 'number' }, mode: { enum: ['x', 'y'] } }) }),
        text: entry({ TOOLS: 'sum', SCHEMA: '{"anyOf":[{"required":["a"]},{"required":["b"]}]}' }),
        words: entry({ TOOLS: 'sum', SCHEMA: '{"anyOf":[{"required":["a"]},{"required":["c"]}]}' }),
        now: entry({
          TOOLS: 'sum',
          SCHEMA: schema({ a: { type: 'string' }, mode: { enum: ['x'] }, b: {} }, ['b']),
        }),
      },
    }),
  );
  const env = { ...workspace.env, PATH: [dirname(npx), workspace.env.PATH].join(delimiter) };
  const mcp = (...words: string[]) =>
    workspace.mcp(['--config', configuration, '--yes', 'diff', ...words], { env });

  test('prints what differs between two servers, and ends with 1 with --breaking', async () => {
    expect(await mcp('old', 'now')).toEqual({
      stdout: `small 1, 2025-11-25 → small 1, 2025-11-25
~ tools: sum
    argument a: type number → string  (breaking)
    argument mode: value "y" removed  (breaking)
    argument b: added, required  (breaking)
`,
      stderr: '',
      code: 0,
    });
    expect(await mcp('old', 'now', '--breaking')).toMatchObject({ code: 1 });
    expect(await mcp('old', 'old', '--breaking')).toMatchObject({
      stdout: expect.stringContaining('\nno differences\n') as string,
      code: 0,
    });
  });

  test('finds that the alternatives of arguments have changed', async () => {
    expect((await mcp('text', 'words')).stdout).toContain(
      '    arguments: anyOf, oneOf or allOf changed  (breaking)\n',
    );
  });

  test('compares two versions of a package that npx starts', async () => {
    const { stdout } = await mcp('packed@1', 'packed', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [
        { list: 'tools', name: 'fresh', kind: 'added', breaking: false },
        { list: 'tools', name: 'gone', kind: 'removed', breaking: true },
      ],
    });
  });

  test('compares two revisions of one server', async () => {
    const { stdout } = await workspace.mcp(['diff', 'fix@2024-11-05', 'fix@2025-06-18']);
    expect(stdout).toContain('fixture 1.0.0, 2024-11-05 → fixture 1.0.0, 2025-06-18\n');
    expect(stdout).toContain('\n+ capabilities: completions\n');
  });

  test('refuses a version of what is no package, and an unknown server', async () => {
    const { stderr, code } = await mcp('old@2', 'now');
    expect(stderr).toContain(
      'The server "old" has no version "2" that could be started: its entry does not start',
    );
    expect(code).toBe(1);
    expect((await mcp('from@2', 'now')).stderr).toContain('The server "from" has no version "2"');
    expect((await mcp('old', 'nwo')).stderr).toContain('There is no server "nwo"; did you mean "now"?');
    expect((await mcp('old')).stderr).toContain('Expected two servers: ');
  });
});

test.each([
  ['a type that is narrower', { type: ['string', 'null'] }, { type: 'string' }, 'fewer'],
  ['a type that is wider', { type: 'integer' }, { type: 'number' }, 'more'],
  ['another type', { type: 'string' }, { type: 'number' }, 'other'],
  ['a value that is added', { enum: [1] }, { enum: [1, 2] }, 'more'],
  ['a limit that is lower', { maximum: 3 }, { maximum: 2 }, 'fewer'],
  ['a limit that is gone', { minLength: 1 }, {}, 'more'],
  ['a property that is gone', { properties: { a: {} } }, { properties: {} }, 'other'],
  [
    'a property that may be missing',
    { properties: { a: {} }, required: ['a'] },
    { properties: { a: {} } },
    'more',
  ],
  [
    'items that are narrower',
    { items: { type: ['string', 'null'] } },
    { items: { type: 'string' } },
    'fewer',
  ],
  ['no further properties', {}, { additionalProperties: false }, 'fewer'],
  ['a property that is required, and not described', {}, { required: ['a'] }, 'fewer'],
  ['another text in an alternative', { anyOf: [{ title: 'a' }] }, { anyOf: [{ title: 'b' }] }, 'same'],
  ['another pattern', { pattern: 'a' }, { pattern: 'b' }, 'other'],
  ['another text', { description: 'a' }, { description: 'b' }, 'same'],
])('%s', (_, before, now, valid) => {
  expect(schemaChanges(before, now)).toEqual([expect.objectContaining({ valid })]);
  expect(schemaChanges(now, now)).toEqual([]);
});

test.each([
  ['a length of at least 0', { minLength: 0 }, {}],
  ['a type beside the only value', { const: 'a' }, { type: 'string', const: 'a' }],
])('%s changes nothing', (_, before, now) => {
  expect(schemaChanges(before, now)).toEqual([]);
});
