import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseFrontmatter } from '@mcp/skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksIn, repository } from './pages.ts';
import { Workspace } from './workspace.ts';

const run = promisify(execFile);
const skill = join(repository, 'packages/protocol/skills/build-mcp-server/SKILL.md');
const text = readFileSync(skill, 'utf8');
const project = new Workspace();
afterAll(() => project[Symbol.dispose]());

beforeAll(() => {
  project.put('package.json', '{ "type": "module" }');
  for (const { file, code } of blocksIn(text)) if (file !== undefined) project.put(file, code);
});

test('the skill is valid, and the package has it', async () => {
  expect(await parseFrontmatter(text)).toMatchObject({ name: 'build-mcp-server' });
  const manifest = JSON.parse(readFileSync(join(repository, 'packages/protocol/package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };
  expect(manifest.files).toContain('skills');
  expect(readFileSync(join(repository, 'docs/guides/coding-agents.md'), 'utf8')).toContain(
    'node_modules/@mcp/protocol/skills/build-mcp-server',
  );
});

test('the code of the skill compiles, and its tests pass', async () => {
  writeFileSync(
    join(project.directory, 'tsconfig.json'),
    JSON.stringify({
      extends: join(repository, 'tsconfig.base.json'),
      compilerOptions: { noEmit: true },
      include: ['*.ts'],
    }),
  );
  const tsc = join(repository, 'node_modules/.bin/tsc');
  await expect(run(tsc, ['--project', project.directory])).resolves.toMatchObject({ stdout: '' });
  const command = /^node (--test .*)$/m.exec(text)![1]!.split(' ');
  const tests = await run(process.execPath, ['--test-reporter=tap', ...command], { cwd: project.directory });
  expect(tests.stdout).toMatch(/^# fail 0$/m);
  expect(tests.stdout).toMatch(/^# pass 5$/m);
});

test('the commands of the skill do what it says', async () => {
  const mcp = (line: string) =>
    run(process.execPath, [join(repository, 'packages/host/dist/main.cjs'), ...line.split(' ')], {
      cwd: project.directory,
    });
  const lines = Array.from(text.matchAll(/^npx -y @mcp\/host (.*)$/gm), ([, line = '']) => line);
  const printed: string[] = [];
  for (const line of lines.filter((each) => !each.startsWith('dev '))) printed.push((await mcp(line)).stdout);
  expect(printed[0]).toContain('speaks 2026-07-28');
  expect(printed.slice(1)).toEqual(['Added; 1 open in "monday"\n', 'Tea\n']);
});

test('the functions in the table of the skill are exports', async () => {
  const [, table = ''] = /\n## More\n([\s\S]*)$/.exec(text) ?? [];
  const spans = Array.from(table.matchAll(/`([^`]+)`/g), ([, span = '']) => span);
  const names = spans.flatMap((span) => span.match(/^\w+$|\b[a-z]\w*(?=\()/gi) ?? []);
  const entries = [
    ...['index', 'http', 'wrap', 'tasks', 'state', 'client', 'stdio', 'command-line'].map(
      (name) => `packages/protocol/dist/${name}.js`,
    ),
    'packages/openapi/dist/index.js',
  ];
  const modules = await Promise.all(
    entries.map((entry) => import(join(repository, entry)) as Promise<object>),
  );
  const exported = new Set(modules.flatMap((module) => Object.keys(module)));
  // Members of what these functions return or pass on.
  const members = new Set(['asTask', 'add', 'remove', 'replace', 'connect']);
  expect(names.length).toBeGreaterThan(12);
  expect(names.filter((name) => !exported.has(name) && !members.has(name))).toEqual([]);
});
