import { basename, extname } from 'node:path';

/** The extensions of source files, by the kind of a program. */
const kinds: readonly (readonly string[])[] = [
  ['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx'],
  ['.py'],
  ['.go'],
  ['.rs'],
  ['.java', '.kt', '.kts', '.scala'],
  ['.cs', '.fs', '.vb'],
  ['.rb'],
  ['.php'],
  ['.swift'],
  ['.ex', '.exs'],
  ['.c', '.h', '.cc', '.cpp', '.hpp'],
  ['.sh'],
];

/** Files that say how a program is built and run, and that programs rarely write. */
const manifests: readonly string[] = [
  'package.json',
  'tsconfig.json',
  'deno.json',
  'deno.jsonc',
  'pyproject.toml',
  'go.mod',
  'Cargo.toml',
];

/** Directories of installed and built files, which change without the author. */
const ignored: readonly string[] = [
  'node_modules',
  'dist',
  'build',
  'target',
  'coverage',
  '__pycache__',
  'venv',
];

/** Whether sources may be in a directory below a watched one. Those of hidden directories are not. */
export function hasSources(directory: string): boolean {
  return !directory.startsWith('.') && !ignored.includes(directory);
}

/**
 * Returns the test for the name of a source file of a program: its kind is that of the first word of its
 * command with a known extension, such as `server.py`; without such a word, all kinds count. Data that a
 * server may write, such as JSON, logs and databases, are not sources.
 */
export function sourceTest(command: readonly string[]): (name: string) => boolean {
  const kindOf = (word: string) => kinds.find((kind) => kind.includes(extname(basename(word))));
  const [kind = kinds.flat()] = command.map(kindOf).filter((each) => each !== undefined);
  return (name) => !name.startsWith('.') && (kind.includes(extname(name)) || manifests.includes(name));
}
