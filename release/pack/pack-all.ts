import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pack, published } from './pack.ts';

// Packs every published package into a directory, with the bill of materials of each bundle beside it:
// `node release/pack/pack-all.ts <directory>`

const into = resolve(process.argv[2] ?? 'tarballs');
mkdirSync(into, { recursive: true });
for (const directory of published) {
  const { name, tarball } = pack(directory, into);
  const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).split('\n');
  if (files.includes('package/dist/sbom.cdx.json')) {
    const text = execFileSync('tar', ['xzOf', tarball, 'package/dist/sbom.cdx.json']);
    writeFileSync(join(into, basename(tarball).replace(/\.tgz$/, '.cdx.json')), text);
  }
  console.log(`${name}: ${basename(tarball)}`);
}
