import { spawnSync } from 'node:child_process';

// Runs all checks that must pass before a commit is pushed: `pnpm check`. With `--tested`, leaves out the
// tests, which have just run.

const all: readonly (readonly [what: string, command: string])[] = [
  ['commit subjects', 'node scripts/check-commits.ts'],
  ...['lint', 'bench', 'mutation', 'test/official', 'test/frameworks', 'release', 'docs'].map(
    (folder) => [`what only ${folder} needs`, `pnpm --dir ${folder} install`] as const,
  ),
  ['format', 'pnpm --dir lint run format --check'],
  ['lint: promises, cycles and the import arrows', 'pnpm --dir lint run lint'],
  ['types', 'pnpm run typecheck'],
  ['build and tests', 'node scripts/test.ts'],
  ['documentation: the site and its links', 'pnpm --dir docs run build'],
  ['documentation: its code and its sessions', 'pnpm --dir docs run test'],
  ['packed packages, and what their consumers do', 'pnpm --dir release run packages'],
];
/** Commands that are left out, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  ...(process.argv.includes('--tested') && { 'node scripts/test.ts': 'the tests have just run' }),
  // Packing needs Linux or macOS. On Windows, only a release starts the packed packages, with
  // release/check/smoke.mjs.
  ...(process.platform === 'win32' && { 'pnpm --dir release run packages': 'it needs Linux or macOS' }),
};

for (const [what, command] of all) {
  const reason = leftOut[command];
  console.log(`\n— ${what}${reason ? `: left out, ${reason}` : ''}\n`);
  if (reason) continue;
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\nFailed: ${what} (${command})`);
    process.exit(1);
  }
}
console.log('\nAll checks passed');
