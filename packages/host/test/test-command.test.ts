import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkedJsonSchema } from '@mcp/protocol/json-schema';
import { revisions } from '@mcp/protocol/client';
import { runProgram } from '@mcp/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import schema from '../src/testing/calls.schema.json' with { type: 'json' };
import { callFileOf } from '../src/testing/read-call-file.ts';
import { readYaml } from '../src/testing/yaml-document.ts';
import { fixture, program, Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

/** One call of each kind, with each assertion, all of which hold. */
const calls = String.raw`# A comment
calls:
  - name: echoes
    tool: echo
    arguments: { text: Hello }
    expect:
      text: { equals: Hello }
      result:
        - { at: 'content[0].type', equals: text }
        - schema: { properties: { content: { type: array, minItems: 1 } } }
    save:
      start: { matches: '^(H\w)' }
      whole: content[0]
  - tool: echo
    arguments: { text: 'again ${'${start}'}, $${'${start}'}' }
    expect:
      text: [{ contains: ['${'${start}'}', again] }, { matches: '^again He, \$\{start\}$' }]
      result: { contains: { content: { type: text } } }
      maxMs: 50000
      maxBytes: 300
  - tool: fail
    expect: { error: true, text: { equals: It failed } }
  - tool: missing
    expect: { error: -32602, text: { contains: missing } }
  - resource: note:///first
    expect: { text: { equals: Note first }, result: { at: 'contents[*].uri', equals: ['note:///first'] } }
  - prompt: greet
    arguments: { language: french }
    expect: { text: { contains: french } }
  - complete: greet
    argument: language
    typed: e
    expect: { text: { equals: "english\nestonian" } }
  - complete: note:///{id}
    argument: id
    typed: ''
    expect: { result: { at: completion.values, contains: [second] } }
`;
const file = workspace.directory.put('calls.yaml', calls);

/** The same server again and again, of which every assertion fails. */
const failing = `calls:
  - tool: echo
    arguments: { text: a long text }
    expect:
      text: [{ equals: a longer text }, { contains: y }, { matches: ^x }]
      result: [{ at: contnt, equals: 1 }, { schema: { required: [x] } }, { contains: { content: 1 } }]
      structuredContent: { equals: 1 }
      maxBytes: 3
    save: { word: content }
  - tool: fail
  - tool: echo
    arguments: { text: '\${word}' }
  - { tool: echo, arguments: { text: a }, expect: { error: true } }
  - { tool: missing, expect: { error: -1 } }
  - { tool: noisy, save: { gone: other } }
`;

/** A server with this revision that answers each request after `delayMs`. */
function serverWith(revision: string, delayMs: number): string {
  return `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const results = {
      initialize: { protocolVersion: ${revision}, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/call': { content: [] },
    };
    const result = results[method];
    const body = result ? { result } : { error: { code: -32601, message: 'unknown' } };
    setTimeout(() => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body })), ${delayMs});
  });`;
}

test('calls, reads, prompts and completions are made and checked, at each revision', async () => {
  const { stdout, stderr, code } = await workspace.mcp(['test', 'fix', file, '--revision', 'all']);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  for (const revision of revisions) expect(stdout).toContain(`${file}, fix at ${revision}\n`);
  expect(stdout).toMatch(/^ {2}ok {4}echoes \(\d+ ms\)$/m);
  expect(stdout).toMatch(/\n40 passed\n$/);
});

test('each failed assertion has its file, line and column', async () => {
  const path = workspace.directory.put('failing.yaml', failing);
  const { stdout, code } = await workspace.mcp(['test', path]);
  const at = (place: string, message: string) =>
    expect(stdout).toContain(`        ${path}:${place}: ${message}`);
  at('5:16', 'text: expected "a longer text", got "a long text"\n');
  at('5:43', 'text: expected to contain "y", got "a long text"\n');
  at('5:60', 'text: expected a match of /^x/u, got "a long text"\n');
  at('6:30', 'result: The result has no "contnt"; did you mean "content"?\n');
  at('6:45', 'result: /x is missing, in {');
  at('6:76', 'result: expected to contain {"content":1}, got {');
  at('7:28', 'structuredContent: the answer has none\n');
  expect(stdout).toMatch(/failing\.yaml:8:7: The result has \d+ bytes; expected at most 3\n/);
  at('10:5', 'The call failed: "It failed"\n');
  expect(stdout).toContain('  skip  tool echo: "word" was not saved\n');
  at('13:53', 'Expected the call to fail, but it succeeded: "a"\n');
  at('14:32', 'Expected the error -1, got -32602: ');
  at('15:28', 'save gone: The result has no "other"');
  expect(stdout).toMatch(/\n0 passed, 5 failed, 1 skipped\n$/);
  expect(code).toBe(9);
});

test('a call with "since" is skipped at older revisions', async () => {
  const path = workspace.directory.put('since.yaml', 'calls: [{ tool: noisy, since: 2025-06-18 }]');
  const words = ['test', path, '--revision', '2025-03-26', '--revision', '2025-06-18'];
  const { stdout, code } = await workspace.mcp(words);
  expect(stdout).toContain('  skip  tool noisy: since 2025-06-18\n');
  expect(stdout).toMatch(/\n1 passed, 1 skipped\n$/);
  expect(code).toBe(0);
});

test('a call has the answers to the questions of the server', async () => {
  const text = `calls:
  - { tool: form, answers: [{ content: { colour: red } }], expect: { text: { contains: '"colour":"red"' } } }
  - { tool: form, answers: [{ action: decline }], expect: { text: { contains: decline } } }
  - { tool: form, expect: { text: { contains: cancel } } }
  - { tool: noisy, answers: [{}] }
`;
  const path = workspace.directory.put('answers.yaml', text);
  const words = ['test', path, '--revision', '2026-07-28', '--revision', '2025-06-18'];
  const { stdout } = await workspace.mcp(words);
  expect(stdout).toMatch(
    /answers\.yaml:5:20: The server asked fewer questions: answers are left, \[\{"action":"accept"\}\]/,
  );
  expect(stdout).toMatch(/\n6 passed, 2 failed\n$/);
});

test('a time is asserted only where the file asks', async () => {
  const path = workspace.directory.put(
    'slow.yaml',
    'calls: [{ tool: slow, expect: { maxMs: 1 } }, { tool: slow }]',
  );
  const server = workspace.directory.put('slow.cjs', serverWith("'2025-11-25'", 20));
  const { env } = workspace;
  const { stdout } = await runProgram(program, ['test', path, '--', process.execPath, server], { env });
  expect(stdout).toMatch(/slow\.yaml:1:33: The call took \d+ ms; expected at most 1\n {2}ok {4}tool slow/);
});

test('a server that does not start, or speaks another revision, has failed', async () => {
  const { env } = workspace;
  const run = (...words: string[]) => runProgram(program, ['test', ...words], { env });
  const ended = await run(file, '--', process.execPath, '-e', 'console.error("broken")');
  expect(ended.stdout).toMatch(
    / {2}fail {2}the server starts \(\d+ ms\)\n {8}\S+calls\.yaml:1:1: .*\n {10}broken\n/,
  );
  expect(ended.code).toBe(9);
  const old = workspace.directory.put('old.cjs', serverWith("'2024-11-05'", 0));
  const other = await run(file, '--revision', '2025-06-18', '--', process.execPath, old);
  expect(other.stdout).toMatch(/: The server answered with the revision 2024-11-05\n0 passed, 1 failed\n$/);
});

test('reports are those that CI services read', async () => {
  const hostile =
    'calls: [{ name: "a & <b> # \\"c\\" \\u0001", tool: fail }, { tool: noisy, since: 2026-07-28 }]';
  const path = workspace.directory.put('hostile.yaml', hostile);
  const words = ['test', path, '--revision', '2025-11-25', '--report'];
  const tap = (await workspace.mcp([...words, 'tap'])).stdout;
  expect(tap.replaceAll(path, 'f').replaceAll(/\d+\.\d{3}/g, 'N')).toBe(
    `TAP version 14
1..2
not ok 1 - f, fix at 2025-11-25: a & <b> \\# "c" \u0001
  ---
  problems:
    - "f:1:9: The call failed: \\"It failed\\""
  duration_ms: N
  ...
ok 2 - f, fix at 2025-11-25: tool noisy # SKIP since 2026-07-28
`,
  );
  const out = join(workspace.directory.base, 'report.xml');
  const { stdout, code } = await workspace.mcp([...words, 'junit', '--out', out]);
  expect(stdout).toMatch(/0 passed, 1 failed, 1 skipped\n$/);
  expect(code).toBe(9);
  const xml = readFileSync(out, 'utf8')
    .replaceAll(path, 'f')
    .replaceAll(/time="\d+\.\d{3}"/g, 'time="N"');
  expect(xml).toContain('<testsuites name="mcp test" tests="2" failures="1" skipped="1" time="N">\n');
  expect(xml).toContain(
    'name="a &amp; &lt;b&gt; # &quot;c&quot; \uFFFD" file="f" line="1" time="N">\n      <failure message="The call failed: &quot;It failed&quot;">f:1:9: ',
  );
  expect(xml).toContain('<skipped message="since 2026-07-28"/>\n');
  const json = JSON.parse((await workspace.mcp(['--json', ...words.slice(0, -1)])).stdout);
  expect(json).toMatchObject([
    {
      file: path,
      revision: '2025-11-25',
      calls: [{ status: 'failed', problems: [{ line: 1, column: 9 }] }, { status: 'skipped' }],
    },
  ]);
});

describe('mistakes in a file', () => {
  const { '~standard': standard } = checkedJsonSchema(schema);
  const isValid = (text: string) => {
    const document = readYaml(text);
    if ('mistake' in document) throw new Error(document.mistake.message);
    return !(standard.validate(document.root) as { issues?: unknown }).issues;
  };

  test('the published schema accepts what the program accepts', () => {
    for (const text of [calls, failing]) expect(isValid(text)).toBe(true);
  });

  test.each([
    ['calls: []', '1:1: calls: Expected at least one call'],
    ['{}', '1:1: calls: Missing: expected an array'],
    ['- tool: x', '1:1: Expected an object, not'],
    ['call: []', '1:1: call: Unknown key; did you mean "calls"?'],
    ['calls:\n  - {}', '2:5: calls[0]: Expected one of tool, resource, prompt, complete in each call'],
    ['calls:\n  - tool: x\n    prompt: y', '2:5: calls[0]: Expected one of tool'],
    [
      'calls:\n  - tool: x\n    argument: y',
      '3:5: calls[0].argument: Unknown key; did you mean "arguments"?',
    ],
    ['calls:\n  - tool: x\n    arguments: [1]', '3:5: calls[0].arguments: Expected an object, not'],
    ['calls:\n  - prompt: x\n    arguments: {a: 1}', '3:17: calls[0].arguments.a: Expected a string, not 1'],
    [
      'calls:\n  - complete: x\n    argument: a',
      '2:5: calls[0].typed: Expected a string, which may be empty',
    ],
    ['calls:\n  - tool: x\n    since: 2025-01-01', '3:5: calls[0].since: Expected one of 2026-07-28, '],
    ['calls:\n  - tool: x\n    expect: {error: no}', '3:14: calls[0].expect.error: Expected true, false or'],
    [
      'calls:\n  - tool: x\n    answers: [{action: no}]',
      '3:16: calls[0].answers[0].action: Expected one of accept',
    ],
    ['calls:\n  - tool: x\n    expect: {text: {}}', '3:14: calls[0].expect.text: Expected one of equals, '],
    ...["text: {contains: ''}", 'text: {contains: []}', 'result: {contains: {}}'].map((check) => [
      `calls:\n  - tool: x\n    expect: {${check}}`,
      `.contains: Expected a part, not ${JSON.stringify(check.endsWith("''}") ? '' : check.includes('[') ? [] : {})}, which is always true`,
    ]),
    [
      'calls:\n  - tool: x\n    expect: {text: []}',
      '3:14: calls[0].expect.text: Expected at least one check',
    ],
    [
      'calls:\n  - tool: x\n    expect: {result: {schema: {}}}',
      '3:23: calls[0].expect.result.schema: Expected a JSON Schema with keys',
    ],
    ['calls:\n  - tool: x\n    expect: {text: x}', '3:14: calls[0].expect.text: Expected an object, not'],
    [
      'calls:\n  - tool: x\n    expect: {maxMs: 0}',
      '3:14: calls[0].expect.maxMs: Expected a whole number from 1',
    ],
    [
      'calls:\n  - resource: x\n    expect: {structuredContent: {equals: 1}}',
      '3:14: calls[0].expect.structuredContent: Only tools have structured content',
    ],
    [
      'calls:\n  - tool: x\n    save: {a: {match: x}}',
      '3:16: calls[0].save.a.match: Unknown key; did you mean "matches"?',
    ],
  ])('%j is refused by the program and by the schema', (text, message) => {
    expect(() => callFileOf('f', text)).toThrow(message);
    expect(isValid(text)).toBe(false);
  });

  test.each([
    ['calls: [', 'f:1:9: YAML: '],
    ['calls: &a\n  - *a', 'f:1:1: its aliases contain themselves'],
    ['a: 1\n---\nb: 2', 'f:1:1: the file has more than one document; expected one'],
    ['calls: [{ tool: x, arguments: { a: .nan } }]', 'f:1:1: JSON has no number NaN'],
    [
      'calls: [{ tool: x, expect: { text: { matches: ( } } }]',
      'f:1:38: calls[0].expect.text.matches: Invalid regular',
    ],
    ['calls: [{ tool: x, save: { a: a..b } }]', 'f:1:28: calls[0].save.a: Expected a path such as'],
    [
      'calls: [{ tool: x, arguments: { a: "${b}" } }]',
      'f:1:20: calls[0].arguments: No earlier call saves "b"; write $${',
    ],
    [
      `a: &a [1,1,1,1,1,1,1,1,1,1]\n${'bcdefgh'.replaceAll(/./g, (key) => {
        const before = String.fromCodePoint(key.codePointAt(0)! - 1);
        return `${key}: &${key} [${Array.from({ length: 10 }, () => `*${before}`).join(',')}]\n`;
      })}`,
      'its aliases stand for too many values',
    ],
  ])('%j is refused', (text, message) => {
    expect(() => callFileOf('f', text)).toThrow(message);
  });
});

test('of many mistakes, the first ones are shown', () => {
  const text = `calls:\n${'  - { tool: x, odd: 1 }\n'.repeat(10_000)}`;
  expect(() => callFileOf('f', text)).toThrow(/^f:2:16: [^]*\nf:101:16: .*\nand 9900 more mistakes$/);
});

test('words that are not understood say what to do', async () => {
  const fails = async (...words: string[]) => (await workspace.mcp(['test', ...words])).stderr;
  expect(await fails()).toContain('Name a file of calls: ');
  expect(await fails('absent.yaml')).toContain('Cannot read "absent.yaml": ');
  expect(await fails(file, '--out', 'x')).toContain('--out needs --report');
  expect(await fails(file, '--revision', '1999-01-01')).toContain(', 2024-11-05, all');
  expect((await workspace.mcp(['test', '--schema'])).stdout).toBe(`${JSON.stringify(schema)}\n`);
  const two = new Workspace({ other: { command: process.execPath, args: [fixture] } });
  expect((await two.mcp(['test', file])).stderr).toContain('Name a server: ');
  two[Symbol.dispose]();
});
