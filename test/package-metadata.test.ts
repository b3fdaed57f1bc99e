import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { published } from '../release/pack/pack.ts';
import { repository } from './server-program.ts';

const manifest = (directory: string) =>
  JSON.parse(readFileSync(join(repository, directory, 'package.json'), 'utf8')) as Record<string, unknown>;
const root = manifest('.') as { homepage: string; bugs: string; author: string; repository: object };

/** `@mcp/protocol` of `@mcp/protocol/client`. */
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0];

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

test.each(
  globSync('{packages,servers,examples}/*/package.json', { cwd: repository }).map((path) => dirname(path)),
)('%s imports only packages that its package.json names', (directory) => {
  const { name, dependencies = {}, devDependencies = {} } = manifest(directory);
  const named = [name, ...Object.keys({ ...(dependencies as object), ...(devDependencies as object) })];
  const sources = globSync('src/**/*.ts', { cwd: join(repository, directory) });
  for (const path of sources.filter((each) => !each.endsWith('.test.ts'))) {
    const code = readFileSync(join(repository, directory, path), 'utf8').replaceAll(
      /^ *(?:\*|\/[*/]).*$/gm,
      '',
    );
    for (const [, from, specifier = from ?? ''] of code.matchAll(
      /^(?:import|export|\}) .*\bfrom '([^']+)';$|\bimport\('([^']+)'\)/gm,
    )) {
      if (!/^(?:\.|node:|$)/.test(specifier))
        expect(named, `${path}: ${specifier}`).toContain(packageOf(specifier));
    }
  }
});
