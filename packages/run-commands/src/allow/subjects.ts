import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { isObject, messageOf } from '@mcp/kit';
import { suggestion } from '@mcp/kit/jsonc';
import type { Command, Configuration } from '../configuration/configuration.ts';
import { type Piece } from '../arguments/argv-template.ts';
import { readRegularFile } from '../access/read-regular-file.ts';
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
/** The longest `package.json`. */
const maxManifestBytes = 16 * 1024 ** 2;
/** Programs that run a file which is one of their arguments. */
const interpreters =
  /^(?:(?:ba|da|z|k|a|fi)?sh|busybox|node(?:js)?|deno|bun|tsx|ts-node|(?:python|pypy|ruby|perl|php|lua)[\d.]*|Rscript|pwsh|env|timeout|nice|ionice|nohup|setsid|stdbuf|time|xvfb-run)(?:\.exe)?$/;
/** What an interpreter adds to the path that it is given, when there is no file of this name. */
const additions = ['', '.js', '/index.js', '/package.json', '/__main__.py'];

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

/**
 * The files among the arguments of an interpreter, which the configuration names: its program and what that
 * loads.
 */
function interpreted({ program, argv, cwd }: Command): string[] {
  const words = 'path' in program ? [program.path, ...argv.flatMap(wordsOf)] : [];
  if (!words.some((each) => interpreters.test(basename(each)))) return [];
  const paths = words
    .slice(1)
    // Also that of an option, such as `--import=./hook.mjs`.
    .flatMap((each) => [each, ...(each.includes('=') ? [each.slice(each.indexOf('=') + 1)] : [])])
    .flatMap((each) => additions.map((addition) => resolve(cwd, `${each}${addition}`)));
  return [...new Set(paths)].filter(isNoDirectory);
}

/** The texts that do not depend on the values of a caller. */
function wordsOf(piece: Piece): string[] {
  if ('if' in piece) return piece.pieces.flatMap(wordsOf);
  const texts = piece.parts.map((part) => ('text' in part ? part.text : undefined));
  return texts.includes(undefined) ? [] : [texts.join('')];
}

/** Whether there is something that could be run: a file, or a pipe in its place. */
function isNoDirectory(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function fileSubject(path: string): Subject {
  return {
    name: path,
    async read() {
      try {
        return await seen(readRegularFile(path), leadsTo(path));
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
    read: async () => seen([Buffer.from(await readScript(directory, script))], leadsTo(file)),
  };
}

/** The text of a script of the `package.json` in a directory. */
export async function readScript(directory: string, script: string): Promise<string> {
  const file = join(directory, 'package.json');
  let manifest: unknown;
  try {
    const pieces: Buffer[] = [];
    for await (const piece of readRegularFile(file, maxManifestBytes)) pieces.push(Buffer.from(piece));
    manifest = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (error) {
    throw new Error(`Cannot read "${file}": ${messageOf(error)}`, { cause: error });
  }
  const scripts = isObject(manifest) && isObject(manifest['scripts']) ? manifest['scripts'] : {};
  const text = Object.hasOwn(scripts, script) ? scripts[script] : undefined;
  if (typeof text === 'string') return text;
  throw new Error(`No script "${script}" in "${file}"; ${suggestion(script, Object.keys(scripts))}`);
}

async function seen(pieces: AsyncIterable<Buffer> | readonly Buffer[], path: string): Promise<Seen> {
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    length += piece.length;
    if (length <= maxTextBytes) kept.push(Buffer.from(piece));
  }
  const text = length <= maxTextBytes ? Buffer.concat(kept) : undefined;
  return {
    sha256: hash.digest('hex'),
    text: text && isUtf8(text) ? text.toString('utf8') : undefined,
    leadsTo: path,
  };
}
