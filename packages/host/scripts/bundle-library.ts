import { copyFileSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundledPackages } from '../../../scripts/bundled-packages.ts';

// Bundles the library as the ES module `dist/index.js`. @mcp/protocol stays outside, so that its classes are
// the same for the library and for the program that uses it. Writes no license notices: the bundling of the
// command `mcp` has written the notices of all libraries; the code below checks this.

const { metafile } = await build({
  entryPoints: ['src/index.ts'],
  outfile: 'dist/index.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['@mcp/source'],
  mainFields: ['module', 'main'],
  external: ['@mcp/protocol'],
  metafile: true,
});

const notices = readFileSync('dist/third-party-licenses.txt', 'utf8');
for (const { name } of bundledPackages(Object.keys(metafile.inputs))) {
  if (!notices.includes(`${name} `))
    throw new Error(`dist/third-party-licenses.txt has no license notice of the package "${name}"`);
}

// The JSON Schema of the files of `mcp test`, for editors.
copyFileSync('src/testing/calls.schema.json', 'dist/calls.schema.json');
