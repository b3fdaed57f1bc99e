import { expect, test } from 'vitest';
import { instructionsFor } from './instructions.ts';

const facts = { keeps: false, readOnly: false, numbered: false };
const long = (letter: string, length = 175) => `/${letter.repeat(length - 1)}`;

test.each([
  [['/a'], []],
  [
    ['/a', '/b', '/c'],
    ['/a', '/b', '/c'],
  ],
  [
    ['/a', '/b', '/c', '/d', '/e', '/f', '/g'],
    ['/a', '/e', '2 more that list_allowed_directories names'],
  ],
  [['a', 'b', 'c', 'd'].map((each) => long(each)), ['list_allowed_directories names']],
  [
    ['/a', long('b', 400), long('c')],
    ['/a unless', '2 more that list_allowed_directories names'],
  ],
  [[long('é', 4_000), '/b'], ['list_allowed_directories names all']],
])('instructions for the directories %j have at most 800 bytes', (directories, parts) => {
  for (const keeps of [false, true])
    for (const numbered of [false, true])
      for (const readOnly of [false, true]) {
        const text = instructionsFor(directories, { keeps, numbered, readOnly });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(800);
        if (!readOnly) for (const part of parts) expect(text).toContain(part);
      }
  expect(instructionsFor(directories, facts)).toMatch(/relative to the first/);
});
