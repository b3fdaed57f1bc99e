import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { billOfMaterials, bundledPackages, licenseNotices } from '../../../scripts/bundled-packages.ts';

// Bundles the program that reads documents in a process of its own into `dist/reader`, with a file for each
// library. Also writes the licenses of the libraries, and copies the encodings of fonts to `dist/cmaps`.

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  name: string;
  version: string;
  engines: { node: string };
};

const { metafile } = await build({
  entryPoints: ['src/reader/main.ts'],
  outdir: 'dist/reader',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: `node${manifest.engines.node.replace('>=', '')}`,
  conditions: ['@mcp/source'],
  metafile: true,
  // Node's own module replaces `readable-stream`, which is a copy of it for Node before version 10.
  alias: { 'readable-stream': 'node:stream' },
  // The CommonJS libraries in the bundle call `require` for modules of Node, but an ES module has no
  // `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
  },
});

cpSync('node_modules/pdfjs-dist/cmaps', 'dist/cmaps', { recursive: true });
const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
  Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 0),
);
const packages = bundledPackages(used);
writeFileSync('dist/third-party-licenses.txt', licenseNotices(packages));
writeFileSync('dist/sbom.cdx.json', billOfMaterials(manifest, packages));
