import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Shows what a host does, with the command `mcp` and four servers on this repository.
// `pnpm start [directory]`

const repository = fileURLToPath(new URL('..', import.meta.url));
const directory = resolve(
  process.env['INIT_CWD'] ?? repository,
  process.argv.slice(2).find((arg) => arg !== '--') ?? repository,
);
const scratch = mkdtempSync(join(tmpdir(), 'mcp-tour-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** The longest output of a command that is shown whole. */
const maxLines = 12;

const program = (path: string) => join(repository, path);
const notes = join(scratch, 'notes.txt');
const database = join(scratch, 'bookshop.db');
writeFileSync(notes, 'One\n');
copyFileSync(program('servers/sqlite/dist/sample.db'), database);
// Without a `.git` directory, the steps with git are left out. In a linked work tree, `.git` is a file.
const hasGit = statSync(join(directory, '.git'), { throwIfNoEntry: false })?.isDirectory() ?? false;
const log = join(scratch, 'log');
git('init', '--quiet', log);

const server = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [program(`servers/${name}/dist/main.cjs`), ...args],
});
const configuration = join(scratch, 'mcp.json');
writeFileSync(
  configuration,
  JSON.stringify({
    mcpServers: {
      filesystem: server('filesystem', directory, scratch),
      git: server('git', ...[...repositories(), log].flatMap((each) => ['--repository', each])),
      sqlite: server('sqlite', '--allow-write', database),
      weather: server('weather', '--demo', '--data', join(scratch, 'weather')),
    },
  }),
);
const env = {
  ...process.env,
  XDG_STATE_HOME: join(scratch, 'state'),
  XDG_CACHE_HOME: join(scratch, 'cache'),
};

// Node compiles a program at its first start only; the tour shows a later one.
await run('ping');
title('Your own servers, and what their tools cost; none is started');
console.log('  $ mcp');
say(await ownServers());
title('Start all servers of a configuration');
await mcp('ping');
title('Read a file');
await mcp('call', 'filesystem.read_text_file', `path=${join(directory, readme())}`, 'head=5');
title('Try to read a file that is not allowed');
await mcp('call', 'filesystem.read_text_file', 'path=/etc/passwd');
if (hasGit) {
  title('Find out who changed it last');
  await mcp('call', 'git.git_log', `repo_path=${directory}`, `path=${readme()}`, 'max_count=1');
}
title('Query the sample database');
await mcp('call', 'sqlite.query', 'sql=SELECT title, price FROM books ORDER BY price DESC LIMIT 3');
title('Get a forecast from the demo data');
await mcp('call', 'weather.forecast', 'place=Berlin', 'days=2');

title('Watch a resource of each server, and change it');
const commit = ['commit', '--quiet', '--allow-empty', '--message', 'Nothing'];
const author = ['-c', 'user.name=Tour', '-c', 'user.email=tour@example.com'];
const watches = [
  watch('filesystem', pathToFileURL(notes).href, 'echo Two >> notes.txt', () =>
    appendFileSync(notes, 'Two\n'),
  ),
  watch('git', 'git://log/log', `git ${commit.join(' ')}`, () => git('-C', log, ...author, ...commit)),
  watch(
    'sqlite',
    'sqlite://bookshop/table/books',
    ...called('sqlite.write', 'sql=UPDATE books SET price = price + 1 WHERE id = 1'),
  ),
  watch('weather', 'weather://places', ...called('weather.save_place', 'name=home', 'place=Berlin')),
];
for (const each of watches) {
  const { command, change, output } = await each;
  console.log(`  $ ${command} &\n  $ ${change}`);
  say(output);
}
// On stderr, because `docs/record-tour.ts` records what the tour prints on stdout.
console.error('\nHere, `mcp` is `npx @mcp/host`. For your own server: `npx --yes pnpm@12.21.0 new <name>`');

/** Runs `mcp`, and prints the command and its output. */
async function mcp(...args: string[]): Promise<void> {
  show(args);
  const { stdout, stderr, status } = await run(...args);
  say(stdout + stderr);
  // A tool that refuses is part of the tour; a server that does not start is not.
  if (status !== 0 && status !== 5) fail(`mcp ended with exit code ${status}`);
}

/** The first line of `mcp` alone, for the configurations that this user has. */
async function ownServers(): Promise<string> {
  const { stdout } = await ended(
    spawn(process.execPath, [program('packages/host/dist/main.cjs')], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  return stdout.split('\n', 1)[0]!;
}

async function run(...args: string[]) {
  return ended(start(args));
}

async function ended(child: ReturnType<typeof start>) {
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { stdout, stderr, status };
}

/**
 * Watches a resource until its first change. `make` makes the change; `change` is the command line to show.
 */
async function watch(name: string, uri: string, change: string, make: () => unknown) {
  const args = ['watch', name, uri, '--count', '1'];
  const child = start(args);
  const stdout = text(child.stdout);
  let output = '';
  for await (const chunk of child.stderr) {
    if (String(chunk).includes('watching')) break;
    output += String(chunk);
  }
  await make();
  output += await stdout;
  if (child.exitCode) fail(`${output}mcp watch ended with exit code ${child.exitCode}`);
  return { command: commandLine(args), change, output };
}

/** A call of a tool: its command line, and how to make it. */
function called(...words: readonly string[]): [commandLine: string, make: () => Promise<unknown>] {
  const args = ['call', ...words];
  return [commandLine(args), () => run(...args)];
}

function start(args: readonly string[]) {
  return spawn(
    process.execPath,
    [program('packages/host/dist/main.cjs'), '--config', configuration, ...args],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

function git(...args: string[]): void {
  execFileSync('git', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The work tree with the `.git` directory, and `directory` itself; empty without a `.git` directory. */
function repositories(): string[] {
  if (!hasGit) return [];
  const command = ['-C', directory, 'rev-parse', '--path-format=absolute', '--git-common-dir'];
  const gitDirectory = execFileSync('git', command, { encoding: 'utf8' }).trim();
  const main = basename(gitDirectory) === '.git' ? [dirname(gitDirectory)] : [];
  return [...new Set([...main, directory])];
}

/** The name of the directory's README or, if there is none, of its first file. */
function readme(): string {
  return readdirSync(directory).find((name) => /^readme/i.test(name)) ?? readdirSync(directory)[0]!;
}

function title(words: string): void {
  console.log(`\n— ${words}\n`);
}

function show(args: readonly string[]): void {
  console.log(`  $ ${commandLine(args)}`);
}

function commandLine(args: readonly string[]): string {
  return ['mcp', ...args.map((word) => (/^[\w.:/@=-]+$/.test(word) ? word : `'${word}'`))].join(' ');
}

function say(output: string): void {
  const lines = output.trimEnd().split('\n');
  const shown =
    lines.length > maxLines
      ? [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines`]
      : lines;
  for (const line of shown) console.log(`  ${line}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
