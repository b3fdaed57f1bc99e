import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { published, repository } from '../pack/pack.ts';
import { integrityOf, manifestIn } from '../pack/tarball.ts';
import { fail } from '../run.ts';

// Publishes the tarballs of a directory to the registry of npm, each after the packages that it needs: `node
// release/publish/publish-packages.ts <directory> [--dry-run] [--no-provenance]`. A version that the registry
// has already with the same bytes is skipped, so that the command can be repeated after a failure; with other
// bytes, nothing is published. If the registry does not trust the workflow itself (trusted publishing),
// `NODE_AUTH_TOKEN` must have a token.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { 'dry-run': { type: 'boolean' }, provenance: { type: 'boolean', default: true } },
});
const directory = resolve(positionals[0] ?? 'tarballs');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const shell = process.platform === 'win32';

if (!existsSync(directory))
  fail(`No such directory: ${directory}; run \`node release/pack/pack-all.ts\` with it`);
const tarballs = globSync('*.tgz', { cwd: directory }).map((file) => ({
  file,
  manifest: manifestIn(join(directory, file)),
}));
const names = published.map(nameOf);
for (const { file, manifest } of tarballs) {
  if (!names.includes(manifest.name)) fail(`${file} is none of the packages that are published`);
}
const inOrder = names.map((name) => {
  const [found, ...others] = tarballs.filter(({ manifest }) => manifest.name === name);
  if (!found) fail(`${directory} has no tarball of ${name}; run \`node release/pack/pack-all.ts\` with it`);
  if (others.length === 0) return found;
  const files = [found, ...others].map(({ file }) => file).toSorted();
  fail(`${directory} has several tarballs of ${name}: ${files.join(', ')}; keep the one of this release`);
});

const waiting = inOrder.filter(({ file, manifest: { name, version } }) => {
  const there = publishedIntegrity(name, version);
  if (there === undefined) return true;
  const integrity = integrityOf(readFileSync(join(directory, file)));
  if (there !== integrity && !values['dry-run']) {
    fail(`${name}@${version} is published with other bytes (${there}, not ${integrity}); raise the version`);
  }
  const same =
    there === integrity ? 'with the same bytes' : 'with other bytes: a release needs a new version';
  console.log(`${name}@${version}: published before, ${same}`);
  return false;
});

const env = { ...process.env };
const token = process.env['NODE_AUTH_TOKEN'];
// npm finds a token by the address with a slash at its end, which a configured registry may lack.
const address = npmConfig('registry').replace(/^https?:|\/$/g, '');
if (token) env[`npm_config_${address}/:_authToken`] = token;
for (const { file, manifest } of waiting) {
  const { name, version } = manifest;
  const options = [
    '--access=public',
    `--provenance=${values.provenance}`,
    `--tag=${version.includes('-') ? 'next' : 'latest'}`,
    ...(values['dry-run'] ? ['--dry-run'] : []),
  ];
  // Without `./`, npm reads the path as the name of a repository on GitHub.
  const { status } = spawnSync(npm, ['publish', ...options, `./${file}`], {
    cwd: directory,
    env,
    shell,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    fail(
      `${name}@${version} was not published; run the command again when the cause is mended. A registry answers 401, ` +
        '403 or 404 where the token is wrong or expired, or it does not trust this workflow: RELEASING.md',
    );
  }
  console.log(`${name}@${version}: ${values['dry-run'] ? 'would be published' : 'published'}`);
}

function nameOf(folder: string): string {
  const manifest = readFileSync(join(repository, folder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { name: string }).name;
}

/** The hash of a version in the registry; undefined if the registry does not have that version. */
function publishedIntegrity(name: string, version: string): string | undefined {
  const view = ['view', `${name}@${version}`, 'dist.integrity', '--json', '--prefer-online'];
  const { stdout, stderr, status } = spawnSync(npm, view, { cwd: directory, shell, encoding: 'utf8' });
  if (status === 0) return stdout.trim() === '' ? undefined : (JSON.parse(stdout) as string);
  if (/\bE404\b/.test(`${stdout}${stderr}`)) return undefined;
  fail(`The registry does not say whether it has ${name}@${version}:\n${stderr}`);
}

function npmConfig(key: string): string {
  return execFileSync(npm, ['config', 'get', key], { cwd: directory, shell, encoding: 'utf8' }).trim();
}
