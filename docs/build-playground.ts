import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { bundlePage } from '../scripts/bundle-page.ts';
import { nameOf, type PageProgram, programs } from './playground/programs.ts';
import { codeBlocks } from './test/pages.ts';

// Builds the playground: the page of `mcp inspect` beside an editor, and the modules that programs import.

const source = join(import.meta.dirname, 'playground');
const servers = join(import.meta.dirname, '../servers');
const view = join(import.meta.dirname, '../packages/host/view');

/** The files in place of modules that need Node. */
const replacements: Readonly<Record<string, string>> = {
  'node:buffer': 'buffer.ts',
  'node:fs': 'node/fs.ts',
  'node:fs/promises': 'modules/files.ts',
  'node:path': 'node/path.ts',
  'node:timers/promises': 'modules/timers.ts',
  'node:url': 'node/url.ts',
  '@mcp/kit/node': 'node/kit.ts',
  '@mcp/watch': 'modules/files.ts',
  './skills.ts': 'node/skills.ts',
};

const forBrowsers: Plugin = {
  name: 'for-browsers',
  setup(building) {
    building.onResolve({ filter: /^node:|^@mcp\/(?:kit\/node|watch)$|^\.\/skills\.ts$/ }, ({ path }) => ({
      path,
      namespace: 'node',
    }));
    // A module of CommonJS may lack what is imported, as long as it is not called.
    building.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = ${path in replacements ? `require('./${replacements[path]}')` : '{}'};`,
      resolveDir: source,
    }));
    building.onResolve({ filter: /\/api\.ts$/ }, ({ importer }) =>
      importer.startsWith(view) ? { path: join(source, 'api.ts') } : undefined,
    );
  },
};

const options: BuildOptions = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome123', 'firefox125', 'safari17.5'],
  conditions: ['@mcp/source'],
  plugins: [forBrowsers],
  inject: [join(source, 'buffer.ts')],
  loader: { '.db': 'binary', '.wasm': 'binary' },
  define: { 'import.meta.dirname': '"/server"' },
};

/** Writes the playground into a directory. */
export async function buildPlayground(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await build({
    ...options,
    entryPoints: [
      ...globSync('modules/*.ts', { cwd: source }).map((path) => ({
        in: join(source, path),
        out: basename(path, '.ts'),
      })),
      { in: join(servers, 'weather/src/server.ts'), out: 'weather' },
    ],
    outdir: join(target, 'modules'),
    splitting: true,
  });
  const examples = programs.map((each) => ({
    name: nameOf(each.page),
    title: each.title,
    program: programOf(each),
  }));
  const page = join(source, 'playground.html');
  writeFileSync(page, pageOf(readFileSync(join(view, 'inspect.html'), 'utf8')));
  const html = await bundlePage(page, {
    ...options,
    define: { ...options.define, examples: JSON.stringify(examples) },
  });
  rmSync(page);
  writeFileSync(join(target, 'index.html'), html);
  console.log(`Built the playground with ${examples.length} programs`);
}

/** The last block of a page that is a program, or exports what becomes one; or a sample. */
function programOf(program: PageProgram): string {
  if ('sample' in program) return readFileSync(join(source, 'samples', program.sample), 'utf8');
  const [pattern, more] =
    'isWhole' in program
      ? [/^await serveStdio\(/m, '']
      : [new RegExp(`^export const ${program.exported}\\b`, 'm'), program.more];
  const block = codeBlocks(program.page).findLast(({ code }) => pattern.test(code));
  if (!block) throw new Error(`No block of ${program.page} has ${pattern}`);
  const used = [...more.matchAll(/\bdefine\w+(?=\()/g)].map(([name]) => name);
  const code = block.code.replace(/(?<=^import \{)[^}]*(?=\} from '@mcp\/protocol')/m, (list) => {
    const names = list.split(',').map((each) => each.trim());
    return ` ${[...new Set([...names, ...used])].join(', ')} `;
  });
  return `${code}${more}`;
}

/** The page of the inspector, with the editor. */
function pageOf(inspect: string): string {
  const editor = `<section id="program" aria-label="The server">
      <div class="bar">
        <select id="example" aria-label="Example"></select>
        <button id="run" type="button" class="primary" aria-keyshortcuts="Control+Enter">Run</button>
      </div>
      <div id="code"></div>
    </section>
    <aside`;
  return inspect
    .replace('<title>mcp inspect</title>', '<title>Playground</title>')
    .replace(
      '<h1>mcp <b>inspect</b></h1>',
      '<h1>mcp <b>playground</b></h1>\n      <a href="../">Documentation</a>',
    )
    .replace('<aside', editor);
}

if (import.meta.main) await buildPlayground(join(import.meta.dirname, 'public/playground'));
