import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJsonc, removeMember, setMember } from '../src/jsonc.ts';

const rootOf = (text: string) => {
  const read = readJsonc(text);
  if ('mistake' in read) throw new Error(read.mistake.message);
  return read.root;
};

describe('setMember', () => {
  test.each([
    ['an empty file', '', '{\n  "s": {\n    "b": 1\n  }\n}\n'],
    ['an empty object', '{}', '{\n  "s": {\n    "b": 1\n  }\n}'],
    [
      'the last member',
      '{\n\t"s": {\n\t\t"a": 1\n\t}\n}\n',
      '{\n\t"s": {\n\t\t"a": 1,\n\t\t"b": 1\n\t}\n}\n',
    ],
    [
      'comments and a trailing comma',
      '{\n  // Mine\n  "s": {\n    "a": 1, // one\n    // "c": 2\n  },\n}',
      '{\n  // Mine\n  "s": {\n    "a": 1, // one\n    // "c": 2\n    "b": 1,\n  },\n}',
    ],
    ['a comment before the comma', '{"s": {\n  "a": 1 // one\n}}', '{"s": {\n  "a": 1, // one\n  "b": 1\n}}'],
    ['one line', '{"s":{"a":1}}', '{"s":{"a":1,"b":1}}'],
    ['one spaced line', '{ "s": { "a": 1 } }', '{ "s": { "a": 1, "b": 1 } }'],
    ['line breaks of Windows', '\uFEFF{\r\n  "s": {}\r\n}', '\uFEFF{\r\n  "s": {\r\n    "b": 1\r\n  }\r\n}'],
    [
      'an existing member',
      '{\n  "s": {\n    "b": { "x": 2 } // two\n  }\n}',
      '{\n  "s": {\n    "b": 1 // two\n  }\n}',
    ],
    ['a member that is named twice', '{"s":{"b":2,"b":3}}', '{"s":{"b":2,"b":1}}'],
    [
      'an object with a comment alone',
      '{\n  "s": {\n    // none\n  }\n}',
      '{\n  "s": {\n    // none\n    "b": 1\n  }\n}',
    ],
  ])('%s', (_, before, after) => {
    expect(setMember(before, ['s', 'b'], 1)).toBe(after);
  });

  test('a value on the way that is not an object is an error', () => {
    expect(() => setMember('{"s": []}', ['s', 'b'], 1)).toThrow('"s" is not an object');
    expect(() => setMember('[]', ['s', 'b'], 1)).toThrow('the file is not an object');
  });
});

describe('removeMember', () => {
  test.each([
    ['the first', '{\n  "a": 1,\n  "b": 2\n}', 'a', '{\n  "b": 2\n}'],
    ['the last', '{\n  "a": 1,\n  "b": {\n    "x": 1\n  }\n}', 'b', '{\n  "a": 1\n}'],
    [
      'one with comments around it',
      '{\n  // a\n  "a": 1, // one\n  // b\n  "b": 2\n}',
      'a',
      '{\n  // a\n  // one\n  // b\n  "b": 2\n}',
    ],
    ['one behind a comment', '{\n  "a": 1, // one\n  "b": 2\n}', 'b', '{\n  "a": 1 // one\n}'],
    ['a trailing comma', '{\n  "a": 1,\n  "b": 2,\n}', 'b', '{\n  "a": 1,\n}'],
    ['one line', '{"a": 1, "b": 2}', 'a', '{"b": 2}'],
    ['the only one', '{"a": 1}', 'a', '{}'],
    ['one that is named twice', '{\r\n  "a": 1,\r\n  "b": 2,\r\n  "a": 3\r\n}', 'a', '{\r\n  "b": 2\r\n}'],
  ])('%s', (_, before, key, after) => {
    expect(removeMember(before, [key])).toBe(after);
  });

  test('a member that does not exist', () => {
    expect(removeMember('{"a": {}}', ['a', 'b'])).toBeUndefined();
    expect(removeMember('{"a": 1}', ['a', 'b'])).toBeUndefined();
  });
});

test('any object is the same after a change of one member, in each layout', () => {
  const layouts = [
    (value: unknown) => JSON.stringify(value),
    (value: unknown) => JSON.stringify(value, null, 2),
    (value: unknown) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
    (value: unknown) => JSON.stringify(value, null, 2).replaceAll('\n', ' // {"x": ,}\n'),
    (value: unknown) => JSON.stringify(value, null, 2).replaceAll(/(?<=[^{[\s,])\n/g, ', /* } */\n'),
  ];
  const object = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(object, fc.string(), fc.string(), fc.jsonValue(), fc.nat(4), (root, a, b, value, layout) => {
      const text = layouts[layout]!(root);
      const expected = structuredClone(root);
      Object.defineProperty(expected, a, {
        value: { ...(Object.hasOwn(root, a) ? root[a] : {}) },
        enumerable: true,
        writable: true,
        configurable: true,
      });
      Object.defineProperty(expected[a], b, { value, enumerable: true, writable: true, configurable: true });
      const set = setMember(text, [a, b], value);
      expect(JSON.stringify(rootOf(set))).toBe(JSON.stringify(JSON.parse(JSON.stringify(expected))));
      const { [b]: _, ...others } = expected[a]!;
      const removed = removeMember(set, [a, b]);
      expect(JSON.stringify((rootOf(removed!) as typeof root)[a])).toBe(
        JSON.stringify(JSON.parse(JSON.stringify(others))),
      );
    }),
  );
});
