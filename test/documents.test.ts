import { existsSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from './server-program.ts';
import { type Sum, sumsIn } from './tasks/sums.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(repository, path)));
const documents = files.filter((path) => path.endsWith('.md'));
const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
const packages = files
  .filter((path) => /^(packages|servers)\/[^/]+\/package\.json$/.test(path))
  .map((path) => JSON.parse(read(path)) as { name: string; bin?: object; exports?: object });

/** pnpm's own commands that the documents use. */
const own = ['install', 'exec', 'create'];
/** The commands of other packages, which run where the programs of the pages are checked. */
const others = [...Object.keys(JSON.parse(read('release/pages/package.json')).devDependencies), 'tsc'];

describe.each(documents)('%s', (path) => {
  const text = read(path);

  test('names only commands that exist', () => {
    for (const [command, script] of text.matchAll(/\bpnpm(?:@[\d.]+)? ([a-z]+)/g)) {
      expect([...scripts, ...own], command).toContain(script);
    }
    for (const [command, name] of text.matchAll(/\bnpx (?:-y |--yes )?(@?[a-z][\w/-]*)/g)) {
      expect([...packages.map((each) => each.name), ...others, 'pnpm'], command).toContain(name);
    }
    for (const [, name, entry = ''] of text.matchAll(/from '(@mcp\/[\w-]+)(\/[\w-]+)?'/g)) {
      const found = packages.find((each) => each.name === name);
      expect(Object.keys(found?.exports ?? {}), `${name}${entry}`).toContain(`.${entry}`);
    }
  });

  test('runs TypeScript by the Node of the workspace, or says which Node can', () => {
    const shown = text.replaceAll(/<!--.*?-->/gs, '');
    const commands = Array.from(
      shown.matchAll(/(?:pnpm exec )?\bnode (?!--)[\w./-]+\.ts\b/g),
      ([found]) => found,
    );
    const others = commands.filter((command) => !command.startsWith('pnpm exec '));
    expect(text.includes('Node 22.18 or newer') ? [] : others).toEqual([]);
  });

  test('links only to what is there', () => {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(existsSync(join(repository, dirname(path), target)), target).toBe(true);
    }
  });

  test('holds only configurations that a host can read', () => {
    for (const [, json = ''] of text.matchAll(/```json\n([\s\S]*?)```/g)) JSON.parse(json);
  });
});

test('the README has a configuration for every server, and every package a README', () => {
  for (const { name } of packages.filter((each) => each.bin && each.name.startsWith('@mcp/server-'))) {
    expect(read('README.md').includes(`"${name}"`), `a configuration of ${name} in README.md`).toBe(true);
  }
  for (const path of files.filter((each) => /^(packages|servers)\/[^/]+\/package\.json$/.test(each))) {
    expect(existsSync(join(repository, dirname(path), 'README.md')), dirname(path)).toBe(true);
  }
});

test('a revision of the specification is named only in revisions/', () => {
  const sources = files.filter((path) => /^packages\/protocol\/src\/.*\.ts$/.test(path));
  for (const path of sources.filter((each) => !each.includes('/revisions/'))) {
    const code = read(path).replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
    expect(code, path).not.toMatch(/\b20\d\d-\d\d-\d\d\b/);
  }
});

test('every file that ARCHITECTURE.md and the decisions name is there', () => {
  const named = (read('ARCHITECTURE.md') + read('docs/decisions.md')).matchAll(
    /`((?:server|transports|jsonrpc|revisions|client|define)\/[\w-]+\.ts)`/g,
  );
  for (const [, path] of named) expect(files).toContain(`packages/protocol/src/${path}`);
});

test('the README has the calls and bytes of the tasks that both filesystem servers complete', () => {
  const [, table = ''] = /<!-- tasks: .*-->\n\n([\s\S]*?)\n<!-- \/tasks -->/.exec(
    read('servers/filesystem/README.md'),
  )!;
  const official = sumsIn(table).find(({ peer }) => peer === 'official')!;
  const text = ({ calls, bytes }: Sum) => `${calls} calls, ${Math.round(bytes / 1_000)} kB`;
  const row = read('README.md')
    .match(/^.*--peers filesystem.*$/m)![0]
    .replace(/ +/g, ' ');
  expect(row).toContain(
    ` ${official.tasks} tasks of a person | ${text(official.ours)} | ${text(official.theirs)} |`,
  );
});
