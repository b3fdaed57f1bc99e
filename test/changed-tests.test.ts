import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { copyRepository } from '../release/rehearse/copy-repository.ts';

// `pnpm test --changed` in a clone of this repository, in which a file is changed.

let directory: string;
let clone: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'changed-'));
  const upstream = join(directory, 'upstream');
  copyRepository(upstream);
  git(upstream, 'init', '--quiet', '--initial-branch=main');
  git(upstream, 'add', '--all');
  git(upstream, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', 'all');
  clone = join(directory, 'clone');
  git(directory, 'clone', '--quiet', '--shared', upstream, clone);
});

afterEach(() => git(clone, 'checkout', '--quiet', '.'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('a tool is tested by the tests that name it or use all tools, and by no other', () => {
  change('servers/weather/src/tools/air-quality.ts');
  const { run, omitted } = selection();
  expect(Object.keys(run)).toEqual(['@mcp/server-weather', '@mcp/host']);
  // It reads the published tools of all servers.
  expect(run['@mcp/host']).toEqual(['test/gateway/search.test.ts']);
  expect(run['@mcp/server-weather']).toEqual(
    expect.arrayContaining(['src/tools/air-quality.test.ts', 'test/published.test.ts']),
  );
  expect(run['@mcp/server-weather']).not.toContain('src/tools/alerts.test.ts');
  expect(omitted).toMatch(
    /^Not run: \d+ of \d+ files of @mcp\/server-weather, which do not reach the change$/m,
  );
  expect(omitted).toContain('Not run: @mcp/test, ');
});

test('the name of a tool is not found in the keywords of a test', () => {
  change('servers/sqlite/src/tools/import.ts');
  const tests = selection().run['@mcp/server-sqlite'];
  expect(tests).toEqual(expect.arrayContaining(['src/tools/import.test.ts', 'test/published.test.ts']));
  expect(tests).not.toContain('src/tools/explain.test.ts');
  expect(tests!.length).toBeLessThan(25);
});

test('a module of a library is tested in its package, through entries that export it', () => {
  change('packages/protocol/src/http/security/cors.ts');
  const { run, omitted } = selection();
  expect(Object.keys(run)).toEqual(['@mcp/protocol']);
  expect(run['@mcp/protocol']).toContain('test/requirements/http-session-ids.test.ts');
  expect(run['@mcp/protocol']).not.toContain('test/client/stdio.test.ts');
  expect(omitted).toMatch(/^Not run: users of @mcp\/protocol, .*@mcp\/server-git \(\d+\)/m);
});

test('a module is not reached through an entry of which a test takes other names', () => {
  change('packages/protocol/src/http/client/cancellation.ts');
  const tests = selection().run['@mcp/protocol'];
  expect(tests).toContain('test/client/http.test.ts');
  // It imports the server's side from the same entry.
  expect(tests).not.toContain('test/hostile/http-close.test.ts');
});

test('a module that programs import is tested by the tests that run the built program', () => {
  change('servers/git/src/main.ts');
  expect(selection().run['@mcp/server-git']).toContain('test/stdio.test.ts');
});

test('a document is tested by the tests of its package that name it', () => {
  change('servers/git/README.md');
  expect(selection().run).toEqual({
    '@mcp/server-git': expect.arrayContaining(['test/published.test.ts']),
    // It reads files of all servers.
    '@mcp/host': ['test/gateway/search.test.ts'],
  });
});

test('a helper of tests is tested by the tests that import it, and a test by itself', () => {
  change('servers/git/test/traps.ts');
  const { run } = selection();
  expect(run['@mcp/server-git']).toContain('test/execution.test.ts');
  change('servers/sqlite/test/values.test.ts');
  expect(selection().run).toEqual({ ...run, '@mcp/server-sqlite': ['test/values.test.ts'] });
});

test('without a change no test is selected, and a change of the root is said to reach all', () => {
  expect(selection().run).toEqual({});
  change('vitest.shared.ts');
  expect(selection().omitted).toContain('Not run: vitest.shared.ts can reach every test');
});

function change(path: string): void {
  appendFileSync(join(clone, path), '\n');
}

function selection() {
  const output = execFileSync(process.execPath, ['scripts/test.ts', '--changed', '--list'], {
    cwd: clone,
    encoding: 'utf8',
  });
  const run: Record<string, string[]> = {};
  for (const [, name = '', files = ''] of output.matchAll(/^Run: (\S+)\n((?: {2}.*\n?)*)/gm))
    run[name] = files.trim().split(/\s+/);
  return { run, omitted: output.match(/^Not run: .*$/gm)?.join('\n') ?? '' };
}

function git(at: string, ...args: string[]): void {
  execFileSync('git', args, { cwd: at });
}
