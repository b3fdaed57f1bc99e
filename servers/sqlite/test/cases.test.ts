import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every case of CASES.md is tested by its number in the file that it names', () => {
  const here = new URL('./', import.meta.url);
  const list = readFileSync(new URL('CASES.md', here), 'utf8');
  const chapters = list.split('\n## ').slice(1);
  const listed = chapters.flatMap((chapter) => {
    const [, file = ''] = /`([\w./-]+\.test\.ts)`/.exec(chapter) ?? [];
    return [...chapter.matchAll(/^\| S(\d+) /gm)].map(([, number]) => ({ number: Number(number), file }));
  });
  expect(listed.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 116 }, (_, index) => index + 1),
  );
  for (const { number, file } of listed) {
    // In a title, or as the first member of a row in the file's table of cases.
    const code = readFileSync(new URL(file, here), 'utf8');
    expect(
      new RegExp(`\\bS${number}\\b|(?:\\[|^\\s+)${number},`, 'm').test(code),
      `S${number} in ${file}`,
    ).toBe(true);
  }
});
