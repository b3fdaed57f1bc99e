import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { billOfMaterials, bundledPackages, licenseNotices } from '../../../scripts/bundled-packages.ts';

// Adds to `dist` the WebAssembly of tree-sitter and of its grammars, with their licenses.
// `dist/grammars` has a file for each language; the parser loads those that it needs.

interface Source {
  readonly files: readonly string[];
  /**
   * The copyright lines of those grammars that the license file of the package does not mention. All grammars
   * have the MIT license.
   */
  readonly copyrights: readonly string[];
}

/** Where the grammars come from: `docs/decisions.md` has the reasons. */
const sources: Readonly<Record<string, Source>> = {
  'node_modules/web-tree-sitter': { files: ['web-tree-sitter.wasm'], copyrights: [] },
  'node_modules/@vscode/tree-sitter-wasm': {
    files: [
      'wasm/tree-sitter-typescript.wasm',
      'wasm/tree-sitter-tsx.wasm',
      'wasm/tree-sitter-javascript.wasm',
      'wasm/tree-sitter-python.wasm',
      'wasm/tree-sitter-go.wasm',
      'wasm/tree-sitter-rust.wasm',
      'wasm/tree-sitter-java.wasm',
    ],
    copyrights: [
      'tree-sitter-typescript: Copyright (c) 2017 Max Brunsfeld',
      'tree-sitter-javascript: Copyright (c) 2014 Max Brunsfeld',
      'tree-sitter-python: Copyright (c) 2016 Max Brunsfeld',
      'tree-sitter-go: Copyright (c) 2014 Max Brunsfeld',
      'tree-sitter-rust: Copyright (c) 2017 Maxim Sokolov',
      'tree-sitter-java: Copyright (c) 2017 Ayman Nadeem',
    ],
  },
  'node_modules/tree-sitter-c': { files: ['tree-sitter-c.wasm'], copyrights: [] },
  'node_modules/@cursorless/tree-sitter-wasms': {
    files: ['out/tree-sitter-json.wasm', 'out/tree-sitter-markdown.wasm'],
    copyrights: [
      'tree-sitter-json: Copyright (c) 2014 Max Brunsfeld',
      'tree-sitter-markdown: Copyright (c) 2021 Matthias Deiml',
    ],
  },
};

mkdirSync('dist/grammars', { recursive: true });
for (const [folder, { files }] of Object.entries(sources)) {
  for (const file of files) copyFileSync(`${folder}/${file}`, `dist/grammars/${basename(file)}`);
}
const packages = bundledPackages(Object.keys(sources)).map((each) => {
  const { copyrights } = sources[`node_modules/${each.name}`]!;
  if (copyrights.length === 0) return each;
  const licenseText = `${each.licenseText}\n\nGrammars in it, under the MIT license:\n${copyrights.join('\n')}`;
  return { ...each, license: each.license === 'MIT' ? 'MIT' : `${each.license} AND MIT`, licenseText };
});
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string };
writeFileSync('dist/third-party-licenses.txt', licenseNotices(packages));
writeFileSync('dist/sbom.cdx.json', billOfMaterials(manifest, packages));
