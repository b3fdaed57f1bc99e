import { statSync } from 'node:fs';
import { type Path, suggestion, type ValueReader } from '@mcp/kit/jsonc';
import type { ArgumentSchema } from '../arguments/argument-schema.ts';
import type { Piece } from '../arguments/argv-template.ts';
import { readArgumentSchema } from '../arguments/read-argument-schema.ts';
import { readPieces } from '../arguments/read-pieces.ts';
import { defaultFailures } from '../output/failures.ts';
import type { Command, Program } from './configuration.ts';
import { pathFrom } from './path-from.ts';

type Members = { readonly [key: string]: unknown };

/** The whole configuration, whose members are the defaults of all commands, and the directory of its file. */
export interface Defaults {
  readonly known: Members;
  readonly directory: string;
}

/** The keys of a command that the configuration may also have at its top level, as defaults. */
export const sharedKeys = ['cwd', 'env', 'network', 'timeoutSeconds', 'failures'];
export const commandKeys = [
  'title',
  'description',
  'argv',
  'script',
  'arguments',
  'required',
  'pinned',
  'readOnly',
  ...sharedKeys,
];

const defaultTimeoutSeconds = 600;
const longestTimeoutSeconds = 24 * 3_600;
/** Matches the names that a host accepts for a tool. */
const namePattern = /^[A-Za-z][\w-]{0,63}$/;
/** The name of the tool that returns further parts of an output, so no command may have it. */
export const reservedName = 'read_output';

/** Reads one command. Returns undefined if it has a fault, which `reader` collects. */
export function readCommand(
  name: string,
  own: Members,
  { known, directory }: Defaults,
  reader: ValueReader,
): Command | undefined {
  const path: Path = ['commands', name];
  const before = reader.faults.length;
  if (!namePattern.test(name) || name === reservedName)
    reader.fault(
      path,
      `A name has 1 to 64 letters, digits, "_" and "-", begins with a letter, and is not "${reservedName}"`,
    );
  const shared = (key: string): readonly [unknown, Path] =>
    own[key] === undefined ? [known[key], [key]] : [own[key], [...path, key]];

  const schemas = readArguments(own['arguments'], [...path, 'arguments'], reader);
  const required = own['required'] === undefined ? [] : reader.texts(own['required'], [...path, 'required']);
  for (const [index, each] of required.entries()) {
    if (!Object.hasOwn(schemas, each))
      reader.fault(
        [...path, 'required', index],
        `No such argument; ${suggestion(each, Object.keys(schemas))}`,
      );
  }
  const [program, argv] = readProgram(own, path, schemas, reader);
  const env = { ...readEnv(known['env'], ['env'], reader), ...readEnv(own['env'], [...path, 'env'], reader) };
  const cwd = readCwd(shared('cwd'), directory, reader);
  const seconds =
    reader.integer(...shared('timeoutSeconds'), 1, longestTimeoutSeconds) ?? defaultTimeoutSeconds;
  const failures = reader.pattern(...shared('failures')) ?? defaultFailures;
  const network = reader.flag(...shared('network')) ?? false;
  const readOnly = reader.flag(own['readOnly'], [...path, 'readOnly']) ?? false;
  const pinned = own['pinned'] === undefined ? [] : reader.texts(own['pinned'], [...path, 'pinned']);
  const description = reader.text(own['description'], [...path, 'description']);
  const title = own['title'] === undefined ? undefined : reader.text(own['title'], [...path, 'title']);
  if (reader.faults.length > before || !program || description === undefined || cwd === undefined)
    return undefined;
  return {
    name,
    title,
    description,
    program,
    argv,
    arguments: schemas,
    required,
    cwd,
    env,
    network,
    timeoutMs: seconds * 1_000,
    failures,
    pinned: pinned.map((each) => pathFrom(cwd, each)),
    readOnly,
  };
}

function readProgram(
  own: Members,
  path: Path,
  schemas: { readonly [name: string]: ArgumentSchema },
  reader: ValueReader,
): readonly [Program | undefined, Piece[]] {
  const used = new Set<string>();
  const read = (given: readonly unknown[]) => readPieces(given, [...path, 'argv'], { schemas, used, reader });
  const { script } = own;
  const argv =
    own['argv'] === undefined && script !== undefined ? [] : reader.list(own['argv'], [...path, 'argv']);
  const pieces = read(argv);
  for (const name of Object.keys(schemas).filter((each) => !used.has(each)))
    reader.fault([...path, 'arguments', name], `Not used: place it in "argv" as "{${name}}"`);
  if (script !== undefined) {
    const text = reader.text(script, [...path, 'script']);
    return [text === undefined ? undefined : { script: text }, pieces];
  }
  const [first] = argv;
  if (own['argv'] !== undefined && (typeof first !== 'string' || /[{}]/.test(first) || first === '')) {
    reader.fault([...path, 'argv', 0], 'Expected the program, as a string without {argument}');
    return [undefined, pieces];
  }
  return [typeof first === 'string' ? { path: first } : undefined, pieces.slice(1)];
}

function readArguments(
  value: unknown,
  path: Path,
  reader: ValueReader,
): { readonly [name: string]: ArgumentSchema } {
  const schemas: { [name: string]: ArgumentSchema } = {};
  for (const [name, each] of reader.entries(value, path)) {
    if (!/^[A-Za-z_][\w-]{0,63}$/.test(name))
      reader.fault([...path, name], 'A name of an argument has 1 to 64 letters, digits, "_" and "-"');
    const schema = readArgumentSchema(each, [...path, name], reader);
    // A faulty argument gets a placeholder, so that each use of the argument is not reported as a fault, too.
    schemas[name] = schema ?? { type: 'string', maxLength: 0, maxItems: 0, allowDash: false };
  }
  return schemas;
}

function readEnv(
  value: unknown,
  path: Path,
  reader: ValueReader,
): { readonly [name: string]: string | true } {
  const env: { [name: string]: string | true } = {};
  for (const [name, each] of reader.entries(value, path)) {
    if (!/^[^=\0]+$/.test(name)) reader.fault([...path, name], 'Not a valid name of an environment variable');
    else if (each === true || (typeof each === 'string' && !each.includes('\0'))) env[name] = each;
    else
      reader.fault([...path, name], "Expected a string, or true for the value in the server's environment");
  }
  return env;
}

function readCwd(
  [value, path]: readonly [unknown, Path],
  directory: string,
  reader: ValueReader,
): string | undefined {
  if (value === undefined) {
    reader.fault(path, 'Missing: expected the directory that the commands run in');
    return undefined;
  }
  const text = reader.text(value, path);
  if (text === undefined) return undefined;
  const cwd = pathFrom(directory, text);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    reader.fault(path, `No such directory: "${cwd}"`);
    return undefined;
  }
  return cwd;
}
