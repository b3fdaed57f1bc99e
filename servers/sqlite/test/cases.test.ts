import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every case is listed, and tested by its number where the list says', () => {
  const here = new URL('./', import.meta.url);
  const list = readFileSync(new URL('CASES.md', here), 'utf8');
  const chapters = list.split('\n## ').slice(1);
  const listed = chapters.flatMap((chapter) => {
    const [, file = ''] = /`([\w-]+\.test\.ts)`/.exec(chapter) ?? [];
    return [...chapter.matchAll(/^\| S(\d+) /gm)].map(([, number]) => ({ number: Number(number), file }));
  });
  expect(listed.map(({ number }) => number)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
  const files = new Set(readdirSync(here));
  for (const { number, file } of listed) {
    expect(files, file).toContain(file);
    // By its title, or by the first member of a row of the file's table of cases.
    const code = readFileSync(new URL(file, here), 'utf8');
    expect(
      new RegExp(`\\bS${number}\\b|(?:\\[|^\\s+)${number},`, 'm').test(code),
      `S${number} in ${file}`,
    ).toBe(true);
  }
});
