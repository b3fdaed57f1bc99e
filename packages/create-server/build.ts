import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

// Bundles the program and copies the templates beside it; `notes` is the example of this repository.

const made = 'dist.new';
rmSync(made, { recursive: true, force: true });
mkdirSync(`${made}/templates`, { recursive: true });
await build({
  entryPoints: ['src/main.ts'],
  outfile: `${made}/main.cjs`,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  banner: { js: '#!/usr/bin/env node' },
  logOverride: { 'empty-import-meta': 'silent' },
});
cpSync('templates', `${made}/templates`, { recursive: true });
for (const part of ['src', 'test']) {
  cpSync(`../../examples/notes/${part}`, `${made}/templates/notes/${part}`, { recursive: true });
}
rmSync('dist', { recursive: true, force: true });
renameSync(made, 'dist');
