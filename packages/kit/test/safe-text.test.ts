import { expect, test } from 'vitest';
import { escapeName, escapeText, oneLine, quoted } from '../src/index.ts';

test.each([
  ['a control', 'a\u001b[2Jb', String.raw`a\u{1b}[2Jb`],
  ['a line break, a tab, a carriage return', 'a\nb\tc\rd', String.raw`a\nb\tc\rd`],
  ['a mark of direction', 'a\u202eb', String.raw`a\u{202e}b`],
  ['a soft hyphen', 'a\u00adb', String.raw`a\u{ad}b`],
  ['a byte order mark', '\ufeffa', String.raw`\u{feff}a`],
  ['a line separator', 'a\u2028b', String.raw`a\u{2028}b`],
  ['a tag, above U+FFFF', 'a\u{e0041}b', String.raw`a\u{e0041}b`],
  ['half of a character', 'a\ud83db', String.raw`a\u{d83d}b`],
  ['a filler that shows nothing', 'a\u3164\u2800b', String.raw`a\u{3164}\u{2800}b`],
])('%s is escaped in names and in text', (_, text, name) => {
  expect(escapeName(text)).toBe(name);
  const lines = name.replace(String.raw`\n`, '\n').replace(String.raw`\t`, '\t');
  expect(escapeText(text)).toBe(lines);
});

test.each([
  ['a backslash', String.raw`a\b`, String.raw`a\\b`],
  ['an unusual space', 'a\u00a0b', String.raw`a\u{a0}b`],
  ['a joiner', 'a\u200db', String.raw`a\u{200d}b`],
])('%s is escaped in names alone', (_, text, name) => {
  expect(escapeName(text)).toBe(name);
  expect(escapeText(text)).toBe(text);
});

test.each(['plain ASCII "text"', 'Zürich 北京 मुंबई', '❤️ 🎉'])('%s stays as it is', (text) => {
  expect(escapeName(text)).toBe(text);
  expect(escapeText(text)).toBe(text);
});

test('no two names are shown as the same', () => {
  const shown = [
    'a\nb',
    String.raw`a\nb`,
    'a\u{a}b',
    String.raw`a\u{a}b`,
    'a\u202eb',
    String.raw`a\u{202e}b`,
  ];
  expect(new Set(shown.map(escapeName)).size).toBe(new Set(shown).size);
});

test('text becomes one line', () => {
  expect(oneLine('  a \r\n\tb\u2028c\u00a0d  ')).toBe('a b c d');
  expect(oneLine('a\u001b[31mb\u202e')).toBe(String.raw`a\u{1b}[31mb\u{202e}`);
  expect(oneLine('abcdef', 4)).toBe('abcd');
  expect(oneLine('abc🎉', 4)).toBe('abc');
});

test('quoted text is escaped, and its middle left out where it is long', () => {
  expect(quoted('a "b"\n')).toBe(String.raw`"a \"b\"\n"`);
  expect(quoted('abcdefgh', 4)).toBe('"ab…gh"');
  expect(quoted('a🎉bc🎉d', 4)).toBe('"a…d"');
  expect(quoted('x'.repeat(1_000))).toHaveLength(303);
});

test('plain text in quotes is JSON', () => {
  const text = 'a "b" \\ c \n \t';
  expect(quoted(text)).toBe(JSON.stringify(text));
});
