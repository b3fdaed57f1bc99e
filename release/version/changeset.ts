import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { versions, withRelease } from '../../docs/site-versions.ts';
import { repository } from '../pack/pack.ts';
import { manifestOf, servers, writeRegistryEntries } from './registry-entry.ts';

// Runs changesets in the repository: `pnpm changeset …`. After `pnpm changeset
// version`, which fails if there is no changeset, this writes the new version into the registry entries and
// the list of the site's versions too, and prints the next commands of the release.

const args = process.argv.slice(2);
// Node runs the script of changesets: the command that npm installs needs a shell on Windows, which would
// split a message at its spaces.
const program = join(repository, 'release/node_modules/@changesets/cli/bin.js');
const { status } = spawnSync(process.execPath, [program, ...args], { cwd: repository, stdio: 'inherit' });
process.exitCode = status ?? 1;
if (status === 0 && args[0] === 'version') {
  writeRegistryEntries();
  const { version } = manifestOf(servers[0]!);
  const list = JSON.stringify(withRelease(versions, version), undefined, 2);
  writeFileSync(join(repository, 'docs/versions.json'), `${list}\n`);
  console.log(`
The next version is ${version}. Next, the other commands of RELEASING.md:

  npx --yes pnpm@12.21.0 check
  git add --all
  git commit --message 'chore: release ${version}'
  git tag v${version}
  git push --atomic origin main v${version}`);
}
