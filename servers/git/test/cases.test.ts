import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

test('every hostile case has a test with its number, in the file that its section names', () => {
  const listed: string[] = [];
  for (const section of read('CASES.md').split('\n## ').slice(1)) {
    const [, file = ''] = /^In \[([\w.-]+)\]/m.exec(section) ?? [];
    // Titles are written out, or put together of an id in a table and the rest.
    const titled = new Set(read(file).match(/(?<=['"`][^'"`\n]*)\bG\d+\b/g));
    for (const [, id = ''] of section.matchAll(/^\| (G\d+) /gm)) {
      listed.push(id);
      expect(titled, `${id} in ${file}`).toContain(id);
    }
  }
  expect(listed.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))).toEqual(
    Array.from({ length: 88 }, (_, index) => `G${index + 1}`),
  );
});
