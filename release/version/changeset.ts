import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repository } from '../pack/pack.ts';
import { writeRegistryEntries } from './registry-entry.ts';

// Runs changesets in the repository: `pnpm changeset …`. After `version`, the registry entries have
// the new version too.

const args = process.argv.slice(2);
const { status } = spawnSync(join(repository, 'release/node_modules/.bin/changeset'), args, {
  cwd: repository,
  shell: process.platform === 'win32',
  stdio: 'inherit',
});
if (status === 0 && args[0] === 'version') writeRegistryEntries();
process.exitCode = status ?? 1;
