import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { packServer } from './pack-server.ts';

// Bundles the program, and copies the templates into `templates` beside it: those of this package, the
// example server, and the servers of the repository.

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
  conditions: ['@mcp/source'],
  logOverride: { 'empty-import-meta': 'silent' },
});
cpSync('templates', `${made}/templates`, { recursive: true });
for (const part of ['src', 'test']) {
  cpSync(`../../examples/notes/${part}`, `${made}/templates/notes/${part}`, { recursive: true });
}
for (const name of ['filesystem', 'git', 'sqlite', 'weather', 'run'])
  packServer(name, `${made}/templates/${name}`);
rmSync('dist', { recursive: true, force: true });
renameSync(made, 'dist');
