import { expect, test } from 'vitest';
import { firstSentence } from '../first-sentence.ts';

test.each([
  ['# A page\n\nIt has [a link](x.md) and\ntwo lines. And more.\n', 'It has a link and two lines.'],
  ['---\nurl: /a.md\n---\n# A page\n\n> A quote\n\n`code` is first:\n\n- a list\n', '`code` is first.'],
  ['# A page\n\nVersion 1.2 is here\n', 'Version 1.2 is here'],
  ['# A page\n\n## A part\n\nIt is about something else.\n', undefined],
  ['# A page\n\n| a table |\n| ------- |\n', undefined],
])('the first sentence of %j is %j', (page, sentence) => {
  expect(firstSentence(page)).toBe(sentence);
});
