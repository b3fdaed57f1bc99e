import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openRoots } from '../src/node.ts';

const here = import.meta.dirname;

function opened(uris: readonly string[], open: (path: string) => string = (path) => path) {
  const warnings: string[] = [];
  const paths = openRoots(uris, open, (message) => warnings.push(message));
  return { paths, warnings };
}

test('roots are opened by their paths, each once', () => {
  const uri = pathToFileURL(here).href;
  expect(opened([uri, uri])).toEqual({ paths: [here], warnings: [] });
});

test('a root that is malformed or cannot be opened is skipped with a warning', () => {
  expect(opened(['https://example.com/\u202ea', 'file:///a%2fb', 'file:///a'])).toEqual({
    paths: process.platform === 'win32' ? [] : ['/a'],
    warnings: [
      String.raw`Root skipped: Not a file URI: "https://example.com/\u{202e}a"`,
      'Root skipped: Not a path on this system: "file:///a%2fb"',
      ...(process.platform === 'win32' ? ['Root skipped: Not a path on this system: "file:///a"'] : []),
    ],
  });
  const refuse = () => {
    throw new Error('no directory');
  };
  expect(opened([pathToFileURL(here).href], refuse).warnings).toEqual(['Root skipped: no directory']);
});

test('the first 100 roots are used', () => {
  const uris = Array.from({ length: 101 }, (_, index) => pathToFileURL(`${here}/${index}`).href);
  const { paths, warnings } = opened(uris);
  expect(paths).toHaveLength(100);
  expect(warnings).toEqual(['Only the first 100 of 101 roots are used']);
});
