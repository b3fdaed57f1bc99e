import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { areas } from '../mutation/areas.ts';
import { changeOf, oneLine, printed, readAccepted, without } from '../mutation/survivors.ts';
import { repository } from './server-program.ts';

describe.each(Object.entries(areas))('the area %s', (name, { package: directory, sources, tests }) => {
  const filesOf = (pattern: string) => globSync(pattern, { cwd: join(repository, directory) });

  test('names sources and tests that exist', () => {
    for (const pattern of [...sources, ...tests]) expect(filesOf(pattern), pattern).not.toEqual([]);
  });

  test('accepts only changes of lines that its sources have', () => {
    const files = sources.flatMap(filesOf).map((file) => join(directory, file));
    for (const { file, before } of readAccepted(name)) {
      expect(files).toContain(file);
      expect(oneLine(readFileSync(join(repository, file), 'utf8')), file).toContain(before);
    }
  });
});

test('a change is shown as its lines, and compared as often as it occurs', () => {
  const source = 'a();\n  if (b) {\n    c();\n  }\n';
  const location = { start: { line: 2, column: 10 }, end: { line: 4, column: 4 } };
  const change = { file: 'a.ts', ...changeOf({ location, replacement: '{}' }, source) };
  expect(change).toEqual({ file: 'a.ts', before: 'if (b) { c(); }', after: 'if (b) {}' });
  expect(printed([change, change])).toBe('@ a.ts\n' + '- if (b) { c(); }\n+ if (b) {}\n'.repeat(2));
  expect(without([change, change], [change])).toEqual([change]);
  expect(without([change], [{ ...change, file: 'b.ts' }])).toEqual([change]);
});
