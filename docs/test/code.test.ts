import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { libraryOf } from './library-programs.ts';
import { codeBlocks, docs, pages, repository } from './pages.ts';

const run = promisify(execFile);
// The directory is inside the repository, so that the code of the pages finds the packages that it imports.
mkdirSync(join(docs, '.generated'), { recursive: true });
const directory = mkdtempSync(join(docs, '.generated/code-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const official = join(repository, 'test/official/node_modules/@modelcontextprotocol/sdk/dist/esm');
const blocks = pages.flatMap((page) =>
  codeBlocks(page)
    .filter((block) => block.language === 'ts' && libraryOf(block) === undefined)
    .map(({ code, file }, index) => ({
      code,
      file,
      name: `${page.replaceAll(/[/.]/g, '-')}-${index + 1}.ts`,
    })),
);

test('all TypeScript of the pages compiles', async () => {
  expect(blocks.length).toBeGreaterThan(10);
  const compiled = blocks.filter(
    ({ code }) =>
      (existsSync(official) || !code.includes('@modelcontextprotocol/')) &&
      // Their types are installed where the programs of these pages run.
      !/'(?:cloudflare:workers|aws-lambda)'/.test(code),
  );
  for (const { code, name } of compiled) writeFileSync(join(directory, name), code);
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../tsconfig.base.json',
      compilerOptions: {
        noEmit: true,
        paths: { '@modelcontextprotocol/sdk/*': [join(official, '*')] },
        skipLibCheck: true,
      },
      include: ['*.ts'],
    }),
  );
  const tsc = join(repository, 'node_modules/.bin/tsc');
  const { stdout } = await run(tsc, ['--project', directory]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

test.each(
  blocks.filter(({ file }) => file?.endsWith('test.ts')).map((block) => [block.name, block.code] as const),
)('the tests of %s pass', async (name, code) => {
  const file = join(directory, `run-${name}`);
  writeFileSync(file, code);
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', file]);
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(stdout).toMatch(/^# pass [1-9]/m);
});
