/**
 * A program that starts other programs, such as `npx`, and what it reads in the current directory before it
 * starts them.
 */
export interface Launcher {
  /** The files and directories that the launcher reads in the current directory, or in a directory above. */
  readonly reads: readonly string[];
  /** If given, the launcher reads these files only when one of its arguments matches. */
  readonly onlyWith?: RegExp;
  /** The option with which the launcher runs in another directory, such as `--directory`. */
  readonly changesTo?: string;
  /**
   * Which arguments of the launcher may be relative paths to code: all (`arguments`), or only the name of the
   * package to run (`package`).
   */
  readonly runs?: 'arguments' | 'package';
  /** Given only for Python: it imports modules from the current directory if one of its arguments matches. */
  readonly imports?: RegExp;
}

const npm = ['node_modules', 'package.json', '.npmrc'];
const dotenv = ['.env', '.env.local', '.env.development', '.env.production', '.env.test'];
const nuget = ['nuget.config', 'NuGet.config', 'NuGet.Config', 'global.json'];
const python = ['pyproject.toml', '.venv', '.env'];
const ofFiles: Launcher = { reads: [], runs: 'arguments' };
const ofTypeScript: Launcher = { reads: [...npm, 'tsconfig.json'], runs: 'arguments' };
/** Matches the options `-m` and `-c` of Python, also after other options in one word, as in `-Im`. */
const modules = /^-[bBdEhiIOPqsSuvVx]*[mc]/;
/** Matches the options of Python that stop it from importing modules from the current directory. */
export const isolating = /^-[bBdEhiOqsSuvVx]*[IP]/;

/** The launchers by lower-case name, without a version or Windows' extension: `python3.12` is `python`. */
const launchers: Readonly<Record<string, Launcher>> = {
  npm: { reads: npm, runs: 'package' },
  npx: { reads: npm, runs: 'package' },
  pnpm: { reads: [...npm, 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnpmfile.mjs'], runs: 'package' },
  yarn: {
    reads: [...npm, '.yarnrc', '.yarnrc.yml', '.yarn', '.pnp.cjs', '.pnp.loader.mjs'],
    runs: 'package',
  },
  bun: { reads: [...npm, 'bunfig.toml', 'tsconfig.json', ...dotenv], runs: 'arguments' },
  deno: { reads: [...npm, 'deno.json', 'deno.jsonc', 'deno.lock', '.env'], runs: 'arguments' },
  // Node searches the current directory for preloaded packages, and for the scripts of `--run`.
  node: {
    reads: ['node_modules', 'package.json'],
    onlyWith: /^(?:-r|--require|--import|--(?:experimental-)?loader|--run)(?:=|$)/,
    runs: 'arguments',
  },
  tsx: ofTypeScript,
  'ts-node': ofTypeScript,
  nodemon: { reads: [...npm, 'nodemon.json'], runs: 'arguments' },
  corepack: { reads: npm },
  // Older releases of uvx read `uv.toml` in the current directory; current releases read only the user's
  // settings.
  uvx: { reads: ['uv.toml'], runs: 'package' },
  uv: {
    reads: [...python, 'uv.toml', 'uv.lock', '.python-version', '.python-versions'],
    runs: 'arguments',
    imports: modules,
    changesTo: '--directory',
  },
  pipx: { reads: ['__pypackages__'], runs: 'package', imports: /^/ },
  python: { reads: [], runs: 'arguments', imports: modules },
  py: { reads: [], runs: 'arguments', imports: modules },
  poetry: { reads: [...python, 'poetry.toml'], runs: 'arguments', imports: modules },
  pdm: { reads: [...python, 'pdm.toml', '.pdm-python'], runs: 'arguments', imports: modules },
  hatch: { reads: [...python, 'hatch.toml'], runs: 'arguments', imports: modules },
  pipenv: { reads: [...python, 'Pipfile'], runs: 'arguments', imports: modules },
  pixi: { reads: ['pyproject.toml', 'pixi.toml', '.pixi'], runs: 'arguments', imports: modules },
  ruby: ofFiles,
  bundle: { reads: ['Gemfile', '.bundle'], runs: 'arguments' },
  php: ofFiles,
  perl: ofFiles,
  java: ofFiles,
  clojure: { reads: ['deps.edn', 'bb.edn'], runs: 'arguments' },
  julia: { reads: ['Project.toml', 'Manifest.toml'], runs: 'arguments' },
  mvn: { reads: ['pom.xml', '.mvn'] },
  gradle: { reads: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'] },
  mix: { reads: ['mix.exs', '.formatter.exs'], runs: 'arguments' },
  swift: { reads: ['Package.swift'], runs: 'arguments' },
  composer: { reads: ['composer.json', 'vendor'] },
  rake: { reads: ['Rakefile', 'rakefile', 'Rakefile.rb', 'rakefile.rb'] },
  task: { reads: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml'] },
  rscript: { reads: ['.Rprofile', '.Renviron'], runs: 'arguments' },
  jbang: { reads: ['jbang-catalog.json', '.jbang'], runs: 'arguments' },
  dotnet: { reads: [...nuget, '.config', 'Directory.Build.props'], runs: 'arguments' },
  dnx: { reads: nuget, runs: 'package' },
  go: { reads: ['go.mod', 'go.work', 'vendor'], runs: 'arguments' },
  cargo: { reads: ['Cargo.toml', '.cargo', 'rust-toolchain', 'rust-toolchain.toml'], runs: 'arguments' },
  docker: {
    reads: ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml', '.env'],
    onlyWith: /^compose$/,
  },
  make: { reads: ['Makefile', 'makefile', 'GNUmakefile'] },
  just: { reads: ['justfile', '.justfile', 'Justfile', '.env'] },
  nix: { reads: ['flake.nix', 'default.nix', 'shell.nix'] },
  dotenv: { reads: ['.env'] },
  direnv: { reads: ['.envrc', '.env'] },
  mise: ofFiles,
  sh: ofFiles,
  bash: ofFiles,
  zsh: ofFiles,
  cmd: ofFiles,
  pwsh: ofFiles,
};

const otherNames: Readonly<Record<string, string>> = {
  pnpx: 'pnpm',
  pnx: 'pnpm',
  yarnpkg: 'yarn',
  bunx: 'bun',
  nodejs: 'node',
  'ts-node-esm': 'ts-node',
  'vite-node': 'tsx',
  clj: 'clojure',
  bb: 'clojure',
  pypy: 'python',
  pythonw: 'python',
  rye: 'uv',
  bundler: 'bundle',
  podman: 'docker',
  dotenvx: 'dotenv',
  'nix-shell': 'nix',
  dash: 'sh',
  ksh: 'sh',
  fish: 'sh',
  powershell: 'pwsh',
};

/**
 * Files in which version managers look up the version of a program to run. They install a shim for each
 * program, with the program's name, such as `node`. So any launcher may be a shim that reads these files.
 */
export const readByShims = ['.tool-versions', 'mise.toml', '.mise.toml', '.prototools'];

/** The launcher that a word of a command line names, with or without a directory; otherwise undefined. */
export function launcherOf(word: string): Launcher | undefined {
  const name = word
    .replace(/^.*[\\/]/, '')
    .replace(/\.(?:exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
  const known = [name, name.replace(/[\d.]+$/, '')].map((each) => otherNames[each] ?? each);
  const found = known.find((each) => Object.hasOwn(launchers, each));
  return found === undefined ? undefined : launchers[found];
}

/**
 * Environment variables that, like `PATH`, contain paths of files or directories from which code is loaded.
 */
export const searchPaths = [
  'BASH_ENV',
  'CLASSPATH',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_LIBRARY_PATH',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'NODE_PATH',
  'PERL5LIB',
  'PYTHONPATH',
  'RUBYLIB',
];

/**
 * Options of package launchers whose value may also be a path to code, for example that of another package.
 */
export const packageOptions = /^(?:-p|--package|--from|--with|--with-editable|-c|--call|--spec)$/;
