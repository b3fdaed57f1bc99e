import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { published, repository } from '../pack/pack.ts';
import { integrityOf, manifestIn } from '../pack/tarball.ts';

// Publishes the tarballs of a directory to the registry of npm, each after the packages that it needs: `node
// release/publish/publish-packages.ts <directory> [--dry-run] [--no-provenance]`. A version that the registry has with the
// same bytes is passed over, so that the command can be repeated after a failure; with other bytes, nothing
// is published. `NODE_AUTH_TOKEN` is the token, where the registry does not trust the workflow itself.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { 'dry-run': { type: 'boolean' }, provenance: { type: 'boolean', default: true } },
});
const directory = resolve(positionals[0] ?? 'tarballs');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const shell = process.platform === 'win32';

const tarballs = readdirSync(directory)
  .filter((name) => name.endsWith('.tgz'))
  .map((file) => ({ file, manifest: manifestIn(join(directory, file)) }));
const names = published.map(nameOf);
for (const { file, manifest } of tarballs) {
  if (!names.includes(manifest.name)) fail(`${file} is none of the packages that are published`);
}
const inOrder = names.map((name) => {
  const [found, ...others] = tarballs.filter(({ manifest }) => manifest.name === name);
  if (found && others.length === 0) return found;
  fail(`Expected one tarball of ${name} in ${directory}, found ${found ? others.length + 1 : 'none'}`);
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
if (token) env[`npm_config_${npmConfig('registry').replace(/^https?:/, '')}:_authToken`] = token;
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
    fail(`${name}@${version} was not published; run the command again when the cause is mended`);
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

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
