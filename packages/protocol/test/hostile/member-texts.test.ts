import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberSource, sourceIn, textOf } from '../../src/jsonrpc/json-source.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { times } from './generated.ts';

const space = fc.stringMatching(/^[ \t\n\r]{0,2}$/);
const escaped = (text: string) =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
// `JSON.parse` of V8 takes "\u0020" for the name "\", once any code of the process has read an object with
// that name. So this file has a process of its own, and its generators make no name that begins so.
const names = fc
  .oneof(fc.string(), fc.constantFrom('a', 'b', '__proto__', '"', 'x\\', 'x\\"', '{', 'é'))
  .filter((name) => !name.startsWith('\\'));
const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes(String.raw`"\\":`));
const member = fc.tuple(names, fc.boolean(), values, fc.constantFrom(0, 1));

/** The text of an object with names that occur twice, escapes and spaces. */
const objects = fc.tuple(fc.array(member), space, space, space).map(([members, before, inside, after]) => {
  const texts = members.map(([name, escape, value, indent]) => {
    const written = escape ? `"${escaped(name)}"` : JSON.stringify(name);
    return `${inside}${written}${after}:${before}${JSON.stringify(value, null, indent)}${after}`;
  });
  return `${before}{${texts.join(',')}${inside}}${after}`;
});

test('a parser reads the same from the text of a source as from its value', () => {
  const runs = { numRuns: 300 * times };
  fc.assert(
    fc.property(objects, (text) => {
      const value = JSON.parse(text) as JsonObject;
      for (const [name, member] of Object.entries(value)) {
        const source = memberSource({ value, text }, name);
        if (source) expect(JSON.parse(source.text)).toEqual(member);
        else expect(typeof member === 'object' && member !== null && !Array.isArray(member)).toBe(false);
      }
      const changed = { ...value, a: 1 };
      const sent = textOf(changed, { value, text });
      expect(JSON.parse(sent)).toEqual(changed);
      expect(sent).not.toMatch(/[\n\r]/);
      expect(JSON.parse(textOf(value, { value, text }))).toEqual(value);
    }),
    runs,
  );
});

test.each(['{', '"', '\\', '\n', '{x', 'é', '__proto__'])(
  'a member is found by a name that begins with an escape: %j',
  (name) => {
    const text = `{"b": 1, "${escaped(name)}": {"k": 2} , "c": 3}`;
    const value = Object.fromEntries([
      ['b', 1],
      [name, { k: 2 }],
      ['c', 3],
    ]) as JsonObject;
    expect(memberSource({ value, text }, name)?.text).toBe('{"k": 2}');
    expect(textOf({ ...value, c: 4 }, { value, text })).toBe(`{"b": 1,"${escaped(name)}": {"k": 2},"c":4}`);
  },
);

test('a number keeps its digits, and a member that was changed is written anew', () => {
  const text = '{"n":12345678901234567890,\n"o": {"half":1.50}, "x":1}';
  const value = JSON.parse(text) as JsonObject;
  expect(textOf({ ...value, x: 2, y: undefined }, { value, text })).toBe(
    '{"n":12345678901234567890,"o": {"half":1.50},"x":2}',
  );
  expect(textOf(value, { value, text })).toBe('{"n":12345678901234567890, "o": {"half":1.50}, "x":1}');
});

test.each(['12345678901234567890', '1e400', '1E-400', '0.12345678901234567', '123456789.12345678'])(
  'the number %s, which JavaScript changes, makes a message keep its text',
  (number) => {
    const text = `{"id":1,"params":{"n":${number}}}`;
    const { params } = JSON.parse(text) as { params: JsonObject };
    expect(sourceIn(text, 'params', params)?.text).toBe(`{"n":${number}}`);
  },
);
