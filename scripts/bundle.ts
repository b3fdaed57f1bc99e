import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

// Bundles the server in the current directory with all it needs: `dist/main.cjs` starts it, `dist/server.cjs` is it.

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };

/**
 * Compiling the server takes a good part of its start, so Node keeps the result for the next one: in the user's
 * own cache directory, since whoever can write to a shared one could have us run what they put there.
 */
const main = `#!/usr/bin/env node
try {
  const { homedir } = require('node:os');
  const cache = process.env.XDG_CACHE_HOME || homedir() + '/.cache';
  require('node:module').enableCompileCache?.(cache + '/mcp');
} catch {}
require('./server.cjs');
`;

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
// One CommonJS file: nothing of Node's ES module loader has to be set up, and what is imported on demand is
// in it, but does not run before.
const { metafile } = await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/server.cjs',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: `node${engines.node.replace('>=', '')}`,
  conditions: ['@mcp/source'],
  metafile: true,
});
writeFileSync('dist/main.cjs', main, { mode: 0o755 });
writeFileSync('dist/third-party-licenses.txt', licenses(Object.keys(metafile.inputs)));

/** The licenses of the packages whose code is in the bundle, which ask to be passed on with it. */
function licenses(inputs: readonly string[]): string {
  const folders = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (!file) throw new Error(`No license file in ${folder}`);
      return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
    })
    .toSorted()
    .join('\n---\n\n');
}
