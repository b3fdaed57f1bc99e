import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './server-program.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');

interface Manifest {
  readonly scripts: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

const manifest = (directory: string) => JSON.parse(read(join(directory, 'package.json'))) as Manifest;

/** The names of all packages that an install by this lockfile brings. */
function lockedNames(lockfile: string): readonly string[] {
  const packages = read(lockfile).split('\npackages:\n')[1]?.split('\nsnapshots:\n')[0] ?? '';
  return [...packages.matchAll(/^ {2}'?(@?[^@'\n]+)@/gm)].map(([, name = '']) => name);
}

test('the first install brings no peer of the benchmarks, which `pnpm bench` installs', () => {
  const peers = Object.keys(manifest('bench').devDependencies);
  expect(peers).toContain('@modelcontextprotocol/sdk');
  const byRoot = lockedNames('pnpm-lock.yaml');
  expect(byRoot).toContain('vitest');
  expect(byRoot.filter((name) => peers.includes(name))).toEqual([]);
  expect(peers.filter((name) => !lockedNames('bench/pnpm-lock.yaml').includes(name))).toEqual([]);

  const libraries = ['fastmcp', 'mcp-framework', 'tmcp', 'xmcp'];
  expect(lockedNames('bench/side-by-side/pnpm-lock.yaml')).toEqual(expect.arrayContaining(libraries));
  expect(byRoot.filter((name) => libraries.includes(name))).toEqual([]);

  const { bench, ...others } = manifest('.').scripts;
  expect(bench).toMatch(/^pnpm --dir bench install && /);
  const installing = Object.keys(others).filter((name) => /install$|^prepare$/i.test(name));
  expect(installing.filter((name) => others[name]!.includes('bench'))).toEqual([]);
});
