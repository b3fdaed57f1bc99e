import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { published } from '../release/pack/pack.ts';
import { repository } from './server-program.ts';

const manifest = (directory: string) =>
  JSON.parse(readFileSync(join(repository, directory, 'package.json'), 'utf8')) as Record<string, unknown>;
const root = manifest('.') as { homepage: string; bugs: string; author: string; repository: object };

describe.each(published)('%s', (directory) => {
  const own = manifest(directory);

  test('the package has the metadata that a registry shows', () => {
    expect(own).toMatchObject({
      description: expect.stringMatching(/^[A-Z].{20,}[^.]$/),
      keywords: expect.arrayContaining(['mcp']),
      homepage: root.homepage.replace('#', `/tree/main/${directory}#`),
      bugs: root.bugs,
      license: 'MIT',
      author: root.author,
      repository: { ...root.repository, directory },
      publishConfig: { access: 'public', provenance: true },
      engines: { node: expect.stringMatching(/^>=\d/) },
    });
  });
});

test('packages are published after those that they need', () => {
  const before = new Set<string>();
  for (const { name, dependencies = {} } of published.map(manifest)) {
    const needed = Object.keys(dependencies as object).filter((each) => each.startsWith('@mcp/'));
    expect(needed.filter((each) => !before.has(each))).toEqual([]);
    before.add(name as string);
  }
});
