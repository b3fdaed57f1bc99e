import { expect, test } from 'vitest';
import { sanitize, sanitizeLine } from './sanitize.ts';

test.each([
  ['plain text\n\twith lines', 'plain text\n\twith lines'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b]52;c;c2VjcmV0', ''],
  ['\u009b2Jgone', 'gone'],
  ['\u001b(0lqqk\u001bcreset', 'lqqkreset'],
  ['a\rb\r\nc', 'a\\rb\nc'],
  ['user\u202egpj.exe', 'user\\u{202e}gpj.exe'],
  ['zero\u200bwidth', 'zero\\u{200b}width'],
  ['tag\u{e0041}\u061cmark', 'tag\\u{e0041}\\u{61c}mark'],
  ['\u0000\u0007\u0008', '\\u{0}\\u{7}\\u{8}'],
  ['日本語 👩‍🚀 é', '日本語 👩‍🚀 é'],
])('%j is shown as %j', (text, shown) => {
  expect(sanitize(text)).toBe(shown);
});

test('a line has no line breaks', () => {
  expect(sanitizeLine(' two\n\n lines\t')).toBe('two lines');
});
