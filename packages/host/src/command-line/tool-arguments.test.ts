import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { parseArguments } from './tool-arguments.ts';
import { parseTarget } from './target.ts';

const schema = {
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer' },
    deep: { type: 'boolean' },
    tags: { type: 'array' },
    options: { type: 'object' },
    either: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    mode: { enum: ['a', 'b'] },
    any: {},
    counts: { type: 'array', items: { type: 'integer' } },
    maybe: { anyOf: [{ type: 'array', items: { type: 'number' } }, { type: 'null' }] },
    both: { allOf: [{ type: 'integer' }] },
    five: { oneOf: [{ const: 5 }, { const: 6 }] },
    mixed: { enum: ['x', 1, null, true, '2', 2] },
    mixes: { type: 'array', items: { enum: ['x', 1] } },
    const: { anyOf: [{ const: 'x' }, { const: 1 }] },
    open: { anyOf: [{ type: 'string' }, { const: 1 }] },
  },
} as const;

test.each([
  [['path=5'], { path: '5' }],
  [['limit=5'], { limit: 5 }],
  [['deep=true'], { deep: true }],
  [['tags=a,b'], { tags: ['a', 'b'] }],
  [['tags=["a,b"]'], { tags: ['a,b'] }],
  [['options={"x":1}'], { options: { x: 1 } }],
  [['either=null'], { either: null }],
  [['either=1.5'], { either: 1.5 }],
  [['mode=a', 'any=5'], { mode: 'a', any: '5' }],
  [['any:=5', 'path=a=b'], { any: 5, path: 'a=b' }],
  [['path='], { path: '' }],
  [['counts=1,2', 'maybe=1.5,2'], { counts: [1, 2], maybe: [1.5, 2] }],
  [['both=5', 'five=5'], { both: 5, five: 5 }],
  [['mixed=1'], { mixed: 1 }],
  [['mixed=x'], { mixed: 'x' }],
  [['mixed=null'], { mixed: null }],
  [['mixed=true'], { mixed: true }],
  [['mixed=2'], { mixed: '2' }],
  [['mixes=1,x'], { mixes: [1, 'x'] }],
  [['const=1'], { const: 1 }],
  [['open=1'], { open: '1' }],
  [['five=5.0'], { five: 5 }],
  [['mode:="c"'], { mode: 'c' }],
  [['tags=a', 'tags=b', 'path=x'], { tags: ['a', 'b'], path: 'x' }],
  [['tags=a,b', 'tags=c'], { tags: ['a', 'b', 'c'] }],
  [['counts=1', 'counts:=2'], { counts: [1, 2] }],
  [['maybe=1.5', 'maybe=2'], { maybe: [1.5, 2] }],
])('%j gives %j', async (words, args) => {
  expect(await parseArguments(words, schema)).toEqual(args);
});

test('key=@file takes the text of a file, and --args is under the other arguments', async () => {
  using directory = new TemporaryDirectory('host-arguments');
  const file = join(directory.root, 'a.txt');
  writeFileSync(file, 'line\n');
  expect(await parseArguments([`path=@${file}`], schema, { json: '{"path":"x","limit":1}' })).toEqual({
    path: 'line\n',
    limit: 1,
  });
});

test.each([
  [['limit=many'], 'Invalid limit: "many"; expected integer'],
  [['limit=1.5'], 'Invalid limit: "1.5"; expected integer'],
  [['limit=9007199254740993'], 'the largest exact integer is 9007199254740991'],
  [['counts=1,x'], 'Invalid counts: "x"; expected integer'],
  [['pth=a'], 'Unknown argument "pth"; did you mean "path"?'],
  [['path'], 'Unexpected argument: "path"; expected key=value'],
  [
    ['any:=[-9007199254740993]'],
    '-9007199254740993 is not exact; the largest exact integer is 9007199254740991',
  ],
  [['any:=1e400'], '1e400 is not exact'],
  [['options={"x":9007199254740993}'], '9007199254740993 is not exact'],
  [['any:={'], 'Invalid JSON in any:={'],
  [['path=a', 'path=b'], '"path" is given twice, but takes one value; a list is given as path:=[…]'],
  [['any=a', 'any=b'], '"any" is given twice'],
  [['options=x'], 'Invalid options: "x"; expected a JSON object'],
  [['path=@/nowhere'], 'Cannot read the file of path=@/nowhere'],
  [['mode=c'], 'Invalid mode: "c"'],
  [['mode=aa'], 'Invalid mode: "aa"; did you mean "a"?'],
  [['mixes=1,y'], 'Invalid mixes: "y"'],
  [['five=7'], 'Invalid five: "7"'],
])('%j is refused', async (words, message) => {
  await expect(parseArguments(words, schema)).rejects.toThrow(message);
});

test.each([
  ['files.read_file', { server: 'files', name: 'read_file' }],
  ['files/read.file', { server: 'files', name: 'read.file' }],
  ['a.b.tool', { server: 'a.b', name: 'tool' }],
])('%s is a server and a name', (word, target) => {
  expect(parseTarget(word, ['files', 'a', 'a.b'], 'tool')).toEqual(target);
});

test('values of a call in one word are overridden by words, and have known names', async () => {
  const schema = { properties: { a: { type: 'number' }, b: {} } };
  expect(await parseArguments(['a=2'], schema, { values: { a: 1, b: null } })).toEqual({ a: 2, b: null });
  await expect(parseArguments([], schema, { values: { c: 1 } })).rejects.toThrow('Unknown argument "c"');
});

test('a value outside the choices is refused, and all choices are named', async () => {
  const refused = parseArguments(['mode=c'], schema);
  await expect(refused).rejects.toMatchObject({ hint: 'accepted: "a", "b"' });
});

test('arguments that the tool requires are missing, unless all are given as JSON', async () => {
  const schema = { properties: { a: {}, b: {}, c: {} }, required: ['a', 'b'] };
  await expect(parseArguments(['a=1'], schema)).rejects.toThrow('Missing argument: b');
  await expect(parseArguments([], schema)).rejects.toThrow('Missing arguments: a, b');
  await expect(parseArguments([], schema, { values: { a: 1 } })).rejects.toThrow('Missing argument: b');
  expect(await parseArguments(['c=1'], schema, { json: '{}' })).toEqual({ c: '1' });
});
