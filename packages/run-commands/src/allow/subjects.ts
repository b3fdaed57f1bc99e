import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { isObject, messageOf } from '@mcp/kit';
import { suggestion } from '@mcp/kit/jsonc';
import type { Command, Configuration } from '../configuration/configuration.ts';
import { type Piece } from '../arguments/argv-template.ts';
import { readRegularFile } from '../access/read-regular-file.ts';
import { leadsTo } from '../access/visited-paths.ts';
import { whyHidden } from '../access/why-hidden.ts';
import type { WritableDirectories } from '../access/writable-directories.ts';
import { environmentFor } from '../process/environment.ts';
import { findProgram } from '../process/find-program.ts';
import type { Seen } from './record.ts';

/** Something that a command runs and that the agent could change: a package script or a file. */
export interface Subject {
  /** A name for messages: `script "test" of /project/package.json`, or the path of a file. */
  readonly name: string;
  read(): Promise<Seen>;
}

/** The maximum number of bytes of a text that is recorded, so that a difference from it can be shown. */
export const maxTextBytes = 256 * 1024;
/** The maximum number of bytes of a `package.json`. */
const maxManifestBytes = 16 * 1024 ** 2;
/** Matches programs that run a file which is one of their arguments. */
const interpreters =
  /^(?:(?:ba|da|z|k|a|fi)?sh|busybox|node(?:js)?|deno|bun|tsx|ts-node|(?:python|pypy|ruby|perl|php|lua)[\d.]*|Rscript|pwsh|env|timeout|nice|ionice|nohup|setsid|stdbuf|time|xvfb-run)(?:\.exe)?$/;
/** What interpreters append to the path in an argument if there is no file with exactly this path. */
const additions = ['', '.js', '/index.js', '/package.json', '/__main__.py'];

/**
 * Returns what the operator has to allow for a command: its package script, the files in its `pinned`, and
 * the programs and scripts that it runs from a writable directory.
 */
export function subjectsOf(command: Command, configuration: Configuration): Subject[] {
  const { program, cwd, pinned } = command;
  const { writable } = configuration;
  const subjectOf = (path: string) => fileSubject(path, writable);
  if ('script' in program) return [scriptSubject(cwd, program.script, writable), ...pinned.map(subjectOf)];
  const { PATH = '' } = environmentFor(command.env, writable, process.env);
  const files = [findProgram(program.path, cwd, PATH), ...interpreted(command)];
  return [...files.filter((each) => writable.holding(each) !== undefined), ...pinned].map(subjectOf);
}

/** Returns files that an interpreter gets as arguments: its script, and files that it loads first. */
function interpreted({ program, argv, cwd }: Command): string[] {
  const words = 'path' in program ? [program.path, ...argv.flatMap(wordsOf)] : [];
  if (!words.some((each) => interpreters.test(basename(each)))) return [];
  const paths = words
    .slice(1)
    // The path may also be the value of an option, such as `--import=./hook.mjs`.
    .flatMap((each) => [each, ...(each.includes('=') ? [each.slice(each.indexOf('=') + 1)] : [])])
    .flatMap((each) => additions.map((addition) => resolve(cwd, `${each}${addition}`)));
  return [...new Set(paths)].filter(isNoDirectory);
}

/** Returns the arguments that contain only fixed text, and no value of the caller. */
function wordsOf(piece: Piece): string[] {
  if ('if' in piece) return piece.pieces.flatMap(wordsOf);
  const texts = piece.parts.map((part) => ('text' in part ? part.text : undefined));
  return texts.includes(undefined) ? [] : [texts.join('')];
}

/** Whether there is something at a path that could be run: a file, or for example a pipe in its place. */
function isNoDirectory(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function fileSubject(path: string, writable: WritableDirectories): Subject {
  return {
    name: path,
    async read() {
      let hidden: string | undefined;
      const pieces = readRegularFile(path, {
        opened: (fd, stats) => (hidden = whyHidden(path, writable, fd, stats)),
      });
      try {
        return { ...(await seen(pieces, leadsTo(path))), hidden };
      } catch (error) {
        throw new Error(`Cannot read "${path}": ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

function scriptSubject(directory: string, script: string, writable: WritableDirectories): Subject {
  const file = join(directory, 'package.json');
  return {
    name: `script "${script}" of ${file}`,
    async read() {
      const { text, hidden } = await readScript(directory, script, writable);
      return { ...(await seen([Buffer.from(text)], leadsTo(file))), hidden };
    },
  };
}

interface Script {
  readonly text: string;
  readonly hidden: string | undefined;
}

/** Returns the text of a script in the `package.json` of a directory, and why the caller may not see it. */
async function readScript(directory: string, script: string, writable: WritableDirectories): Promise<Script> {
  const file = join(directory, 'package.json');
  let hidden: string | undefined;
  let manifest: unknown;
  try {
    const pieces: Buffer[] = [];
    const opened = (fd: number, stats: Stats) => (hidden = whyHidden(file, writable, fd, stats));
    for await (const piece of readRegularFile(file, { limit: maxManifestBytes, opened }))
      pieces.push(Buffer.from(piece));
    manifest = parsed(Buffer.concat(pieces).toString('utf8'), hidden);
  } catch (error) {
    throw new Error(`Cannot read "${file}": ${messageOf(error)}`, { cause: error });
  }
  const scripts = isObject(manifest) && isObject(manifest['scripts']) ? manifest['scripts'] : {};
  const text = Object.hasOwn(scripts, script) ? scripts[script] : undefined;
  if (typeof text === 'string') return { text, hidden };
  throw new Error(
    `No script "${script}" in "${file}"; ${hidden === undefined ? suggestion(script, Object.keys(scripts)) : hidden}`,
  );
}

/** Parses JSON. The error for a text that the caller may not see does not quote it. */
function parsed(text: string, hidden: string | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw hidden === undefined ? error : new Error(`It is not valid JSON, and ${hidden}`, { cause: error });
  }
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
