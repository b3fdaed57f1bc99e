import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compile } from '../playground/compile.ts';
import { nameOf, programOfPage, programs } from '../playground/programs.ts';
import { TemporaryDirectory } from '../../packages/test-kit/src/temporary-directory.ts';
import { codeBlocks, docs, repository } from './pages.ts';

const folders = 'guides,zh-CN,coming-from,servers,deploy,frameworks';
const pages = globSync(['*.md', `{${folders}}/*.md`], { cwd: docs });

/** Guides without a link to the playground, and why their programs do not run in a page. */
const without = {
  'guides/authorization.md': 'serves HTTP',
  'guides/coding-agents.md': 'has no program',
  'guides/openapi.md': 'calls an API over the network',
  'guides/operate.md': 'serves HTTP',
  'guides/publish.md': 'is about a package',
  'guides/replicas.md': 'serves HTTP',
  'guides/skills.md': 'serves a directory',
  'guides/telemetry.md': 'sends traces over the network',
  'guides/test.md': 'reports tests in a terminal',
  'guides/views.md': 'bundles a page, which a host shows',
  'guides/web-hosts.md': 'has no program',
};

test('each guide opens its program in the playground, or is known to have none that runs there', () => {
  const guides = pages.filter((page) => page.startsWith('guides/') && !programOfPage(page));
  expect(guides.sort()).toEqual(Object.keys(without));
});

test('a page with a server that needs only the modules of the playground opens it there', () => {
  const runs = (code: string) => {
    try {
      return /\bdefine(?:Server|Tool|Resource|Prompt)\(/.test(code) && compile(code, 'https://x/') !== '';
    } catch {
      return false;
    }
  };
  const runnable = pages.filter((page) => codeBlocks(page).some(({ code }) => runs(code)));
  expect(runnable.length).toBeGreaterThan(10);
  expect(runnable.filter((page) => !programOfPage(page))).toEqual([]);
});

test('the names of the programs differ', () => {
  expect(new Set(programs.map(({ page }) => nameOf(page))).size).toBe(programs.length);
});

test('the program of the sample database runs in Node, too', () => {
  using directory = new TemporaryDirectory('playground-sample');
  copyFileSync(join(repository, 'servers/sqlite/dist/sample.db'), join(directory.base, 'sample.db'));
  const program = join(docs, 'playground/samples/bookshop.ts');
  const testing = join(repository, 'packages/protocol/dist/testing.js');
  const script = `import { server } from ${JSON.stringify(program)};
import { connect } from ${JSON.stringify(testing)};
const client = await connect(server);
const { content } = await client.callTool('query', {});
console.log(content[0].text);
await client.close();`;
  const args = ['--input-type=module', '--eval', script];
  const text = execFileSync(process.execPath, args, { cwd: directory.base, encoding: 'utf8' });
  expect(Object.keys(JSON.parse(text)[0])).toEqual(['title', 'sold', 'revenue']);
});
