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
])('%j gives %j', (words, args) => {
  expect(parseArguments(words, schema)).toEqual(args);
});

test('key=@file takes the text of a file, and --args is under the other arguments', () => {
  using directory = new TemporaryDirectory('host-arguments');
  const file = join(directory.root, 'a.txt');
  writeFileSync(file, 'line\n');
  expect(parseArguments([`path=@${file}`], schema, '{"path":"x","limit":1}')).toEqual({
    path: 'line\n',
    limit: 1,
  });
});

test.each([
  [['limit=many'], 'Invalid limit: "many"; expected integer'],
  [['limit=1.5'], 'Invalid limit: "1.5"; expected integer'],
  [['limit=9007199254740993'], 'the largest integer that JSON keeps is 9007199254740991'],
  [['counts=1,x'], 'Invalid counts: "x"; expected integer'],
  [['pth=a'], 'Unknown argument "pth"; did you mean "path"?'],
  [['path'], 'Unexpected argument: "path"; expected key=value'],
  [['any:={'], 'Invalid JSON in any:={'],
  [['options=x'], 'Invalid options: "x"; expected a JSON object'],
  [['path=@/nowhere'], 'Cannot read the file of path=@/nowhere'],
])('%j is refused', (words, message) => {
  expect(() => parseArguments(words, schema)).toThrow(message);
});

test.each([
  ['files.read_file', { server: 'files', name: 'read_file' }],
  ['files/read.file', { server: 'files', name: 'read.file' }],
  ['a.b.tool', { server: 'a.b', name: 'tool' }],
])('%s is a server and a name', (word, target) => {
  expect(parseTarget(word, ['files', 'a', 'a.b'], 'tool')).toEqual(target);
});
