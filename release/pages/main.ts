import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, unpack } from '../pack/pack.ts';
import { checkPages } from './check-pages.ts';

// Runs the programs of pages about frameworks and places to deploy: `pnpm --dir release run pages`, or only
// those of one page: `pnpm --dir release run pages deploy/bun.md`. `pnpm packages` runs them all.

const base = realpathSync(mkdtempSync(join(tmpdir(), 'pages-')));
try {
  const packed = ['packages/protocol', 'packages/host'].map((directory) => pack(directory, base));
  unpack(packed, base);
  const pages = process.argv.slice(2);
  await checkPages(base, pages.length > 0 ? pages : undefined);
} finally {
  rmSync(base, { recursive: true, force: true });
}
