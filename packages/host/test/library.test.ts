import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TemporaryDirectory } from '@mcp/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const directory = new TemporaryDirectory('host-library');
afterAll(() => directory[Symbol.dispose]());

/** A program that has installed the package as it is built. */
beforeAll(() => {
  const modules = join(directory.root, 'node_modules');
  mkdirSync(join(modules, '@mcp'), { recursive: true });
  mkdirSync(join(modules, '@types'));
  symlinkSync(path('..'), join(modules, '@mcp/host'), 'junction');
  symlinkSync(path('../../vendors'), join(modules, '@mcp/vendors'), 'junction');
  symlinkSync(path('../../../node_modules/@types/node'), join(modules, '@types/node'), 'junction');
  directory.put('a.txt', 'one\ntwo\n');
  const args = [path('../../../servers/filesystem/dist/main.cjs'), directory.root];
  directory.put('mcp.json', JSON.stringify({ mcpServers: { files: { command: process.execPath, args } } }));
});

const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: directory.base,
  XDG_STATE_HOME: join(directory.base, 'state'),
  XDG_CACHE_HOME: join(directory.base, 'cache'),
};
const node = async (file: string) =>
  (await run(process.execPath, [file], { cwd: directory.root, env })).stdout;

/** The examples in the docstrings of the library, and the output that their comments show. */
const examples = readdirSync(path('../src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .toSorted()
  .flatMap((file) =>
    Array.from(
      readFileSync(path(`../src/${file}`), 'utf8').matchAll(/@example\n\s+\* ```ts\n([\s\S]*?)\* ```/g),
      ([, block = ''], index) => {
        const code = block.replaceAll(/^\s+\* ?/gm, '');
        const printed = Array.from(code.matchAll(/console\.log.* \/\/ (.*)$/gm), ([, text]) => `${text}\n`);
        const example = `${basename(file, '.ts')}-${index + 1}.mts`;
        return { example, code, printed: printed.join('') };
      },
    ),
  );

test('the example of the README compiles in TypeScript and runs, and those of docstrings compile', async () => {
  const readme = readFileSync(path('../README.md'), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(example).toContain("from '@mcp/host'");
  directory.put('example.mts', example);
  for (const each of examples) directory.put(each.example, each.code);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2024', 'esnext.disposable'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  directory.put(
    'tsconfig.json',
    JSON.stringify({ compilerOptions, files: ['example.mts', ...examples.map((each) => each.example)] }),
  );
  await run(process.execPath, [path('../../../node_modules/typescript/bin/tsc'), '-p', directory.root]);
  expect(await node('example.mts')).toBe('files__read_text_file\none\n');
});

test.each(examples)(
  'the example in a docstring, $example, prints the text of its comments',
  async ({ example, printed }) => {
    expect(await node(example)).toBe(printed);
  },
);

test('CommonJS gets the same library by require', async () => {
  directory.put(
    'example.cjs',
    `const { openServers, loadConfiguration } = require('@mcp/host');
     const { routeBlocks, vendors } = require('@mcp/vendors');
     loadConfiguration({ files: ['mcp.json'] })
       .then((configuration) => openServers({ configuration }))
       .then(({ names }) => console.log(names, Object.keys(vendors).length, typeof routeBlocks));`,
  );
  expect(await node('example.cjs')).toBe("[ 'files' ] 4 function\n");
});

test('the library prints nothing, and rejects with the phase and the hint of a failure', async () => {
  directory.put(
    'failure.mjs',
    `import { HostError, openServers } from '@mcp/host';
     const servers = await openServers({ load: { files: ['mcp.json'] } });
     const error = await servers.tools('fles').catch((reason) => reason);
     console.log(error instanceof HostError, error.phase, error.exitCode, error.message);`,
  );
  expect(await node('failure.mjs')).toBe(
    'true configuration 1 There is no server "fles"; did you mean "files"?\n',
  );
});
