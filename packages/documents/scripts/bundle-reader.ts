import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { billOfMaterials, bundledPackages, licenseNotices } from '../../../scripts/bundled-packages.ts';

// Bundles the program of the process that reads documents as `dist/reader`, with a file for each library, and
// adds the licenses of the libraries. Beside it are the encodings of fonts (`dist/cmaps`).

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
  // Copies of what Node has, for its versions before 10.
  alias: { 'readable-stream': 'node:stream' },
  // The libraries in CommonJS require modules of Node.
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
