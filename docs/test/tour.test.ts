import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tourPicture } from '../tour-picture.ts';
import { tourSession } from '../tour-session.ts';
import { docs } from './pages.ts';

const read = (name: string) => readFileSync(join(docs, name), 'utf8');

test('the picture of the tour shows the recorded session', () => {
  expect(read('tour.svg'), 'run `node docs/record-tour.ts`').toBe(tourPicture(read('tour.txt')));
});

test('the recorded session has no times, which differ from machine to machine', () => {
  expect(read('tour.txt')).not.toMatch(/\d ms/);
});

test('the recorded session has the lines of the present tour, but for numbers and the weather', async () => {
  expect(shape(await tourSession()), 'run `node docs/record-tour.ts`').toEqual(shape(read('tour.txt')));
});

test('the picture of the tour stays below 60 kB', () => {
  expect(Buffer.byteLength(read('tour.svg'))).toBeLessThan(60_000);
});

function shape(session: string): string[] {
  return session.split('\n').map((line) =>
    line
      .replace(/^( {2})[A-Z][a-z]{2} ([\d-]+: ).*/, '$1… $2…')
      .replace(/\d+(?:\.\d+)*/g, '0')
      .replace(/ +/g, ' '),
  );
}
