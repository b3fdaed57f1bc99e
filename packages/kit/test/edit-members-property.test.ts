import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonc, removeMember, setMember } from '../src/jsonc.ts';

/** White space and comments, some of which look like JSON. */
const gapWith = (lineBreak: string) =>
  fc
    .array(fc.constantFrom(' ', '\t', lineBreak, `${lineBreak}  `, `// "x": } ${lineBreak}`, '/* , { */'), {
      maxLength: 3,
    })
    .map((parts) => parts.join(''));

const keys = fc.constantFrom('"a"', String.raw`"\u0061b"`, '"__proto__"', '"x y"', '""', '"new "');
const values = fc.constantFrom(
  '12345678901234567890',
  '1.10',
  String.raw`"\u0041\/x"`,
  '"//, {"',
  '[1,]',
  '{}',
  '{"a": [{}, ]}',
);

/** The text of an object, with a trailing comma or without. `own` is the text of one more member. */
function objectWith(gap: fc.Arbitrary<string>, own: fc.Arbitrary<string> = fc.constant('')) {
  const member = fc
    .tuple(gap, keys, gap, gap, values, gap)
    .map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`);
  const members = fc.array(member, { maxLength: 2 });
  return fc.tuple(members, own, members, gap, fc.boolean()).map(([before, mine, after, end, hasComma]) => {
    const all = [...before, ...(mine === '' ? [] : [mine]), ...after];
    return `{${all.join(',')}${hasComma && all.length > 0 ? ',' : ''}${end}}`;
  });
}

/** A document with an object under the key "servers". */
const documents = fc.constantFrom('\n', '\r\n').chain((lineBreak) => {
  const gap = gapWith(lineBreak);
  const servers = fc
    .tuple(gap, gap, objectWith(gap), gap)
    .map(([a, b, object, c]) => `${a}"servers"${b}:${object}${c}`);
  return fc
    .tuple(fc.constantFrom('', '\uFEFF'), gap, objectWith(gap, servers), gap)
    .map((parts) => parts.join(''));
});

const path = ['servers', 'new'];
const entry = { command: 'x', args: ['y', 'z'], env: {} };

/** A document as it is read, with the order of its keys. */
function readOf(text: string): string {
  const read = readJsonc(text);
  if ('mistake' in read) throw new Error(`${read.mistake.message}: ${text}`);
  return JSON.stringify(read.root);
}

/** What is left of a text without the characters of another one; undefined if it lacks one in this order. */
function added(longer: string, shorter: string): string | undefined {
  let [at, rest] = [0, ''];
  for (const character of longer) {
    if (character === shorter[at]) at++;
    else rest += character;
  }
  return at === shorter.length ? rest : undefined;
}

/** Texts whose spaces between the braces of an empty object a change may replace. */
const withoutInnerSpace = (text: string) => text.replaceAll(/\{\s+\}/g, '{}');

test('a member that was added and removed leaves each byte of a document', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const text = withoutInnerSpace(document);
      const set = setMember(text, path, entry);
      expect(removeMember(set, path)).toBe(text);
      // Nothing but the member and commas is new.
      expect(added(set, text)?.replaceAll(/\s/g, '')).toMatch(/^,*"new":/);
      expect(readOf(set)).toContain(`"new":${JSON.stringify(entry)}`);
    }),
  );
});

test('a member that was replaced is the only change of a document', () => {
  fc.assert(
    fc.property(documents, (text) => {
      const one = setMember(text, path, 'first');
      const two = setMember(one, path, entry);
      const at = one.indexOf('"first"');
      expect(two.startsWith(one.slice(0, at))).toBe(true);
      expect(two.endsWith(one.slice(at + '"first"'.length))).toBe(true);
      expect(readOf(two)).toContain(JSON.stringify(entry));
    }),
  );
});

test('any member is removed, and no other one', () => {
  fc.assert(
    fc.property(documents, fc.constantFrom('a', 'ab', '__proto__', 'x y', '', 'new '), (text, name) => {
      const removed = removeMember(text, ['servers', name]) ?? text;
      const expected = JSON.stringify(JSON.parse(readOf(text)), (key, value: unknown) =>
        key === 'servers' ? without(value as object, name) : value,
      );
      expect(readOf(removed)).toBe(expected);
      expect(added(text, removed)).toBeDefined();
    }),
  );
});

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
