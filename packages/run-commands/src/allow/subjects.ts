import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { isObject, messageOf } from '@mcp/kit';
import type { Command, Configuration } from '../configuration/configuration.ts';
import { suggestion } from '../configuration/value-reader.ts';
import { leadsTo } from '../access/visited-paths.ts';
import { environmentFor } from '../process/environment.ts';
import { findProgram } from '../process/find-program.ts';
import type { Seen } from './record.ts';

/** A script, or a file that a command runs, which the agent could change. */
export interface Subject {
  /** `script "test" of /project/package.json`, or a path. */
  readonly name: string;
  /** Reads its present text. */
  read(): Promise<Seen>;
}

/** The longest text that is kept for showing a difference. */
const maxTextBytes = 256 * 1024;
/** Programs that run a file which is one of their arguments. */
const interpreters = /^(?:(?:ba|da|z|k)?sh|node|deno|bun|tsx|python[\d.]*|ruby|perl|php|lua)$/;

/**
 * What must be as the operator saw it before a command may run: a package script, the program and the script
 * of an interpreter if they lie in a writable directory, and the files that are pinned.
 */
export function subjectsOf(command: Command, configuration: Configuration): Subject[] {
  const { program, cwd, pinned } = command;
  if ('script' in program) return [scriptSubject(cwd, program.script), ...pinned.map(fileSubject)];
  const { PATH = '' } = environmentFor(command.env, configuration.writable, process.env);
  const files = [findProgram(program.path, cwd, PATH), ...interpreted(command)];
  return [...files.filter((each) => configuration.writable.holding(each) !== undefined), ...pinned].map(
    fileSubject,
  );
}

/** The files among the arguments of an interpreter: its program and what that loads. */
function interpreted({ program, argv, cwd }: Command): string[] {
  if (!('path' in program) || !interpreters.test(basename(program.path))) return [];
  return argv.flatMap((piece) => {
    const [part, ...others] = 'parts' in piece ? piece.parts : [];
    if (!part || !('text' in part) || others.length > 0) return [];
    const path = resolve(cwd, part.text);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? [path] : [];
  });
}

function fileSubject(path: string): Subject {
  return {
    name: path,
    async read() {
      try {
        return seen(await readFile(path), leadsTo(path));
      } catch (error) {
        throw new Error(`Cannot read "${path}": ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

function scriptSubject(directory: string, script: string): Subject {
  const file = join(directory, 'package.json');
  return {
    name: `script "${script}" of ${file}`,
    read: async () => seen(Buffer.from(await readScript(directory, script)), leadsTo(file)),
  };
}

/** The text of a script of the `package.json` in a directory. */
export async function readScript(directory: string, script: string): Promise<string> {
  const file = join(directory, 'package.json');
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`Cannot read "${file}": ${messageOf(error)}`, { cause: error });
  }
  const scripts = isObject(manifest) && isObject(manifest['scripts']) ? manifest['scripts'] : {};
  const text = Object.hasOwn(scripts, script) ? scripts[script] : undefined;
  if (typeof text === 'string') return text;
  throw new Error(`No script "${script}" in "${file}"; ${suggestion(script, Object.keys(scripts))}`);
}

function seen(bytes: Buffer, path: string): Seen {
  return {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    text: bytes.length <= maxTextBytes && isUtf8(bytes) ? bytes.toString('utf8') : undefined,
    leadsTo: path,
  };
}
