import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import { readSkillFile, type SkillEntry } from '@mcp/skills';
import { type CommandInput, valueOf } from '../../command-line/command.ts';
import { serverFirst } from '../../command-line/target.ts';
import { exitCodes, HostError, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { askLine } from '../../terminal/ask-line.ts';
import { type Contents, filesOf, pathOf } from './files.ts';
import { findSkill, skillProblem } from './find-skill.ts';
import { changesBetween, digestsIn, exists, type Pins, pinsFile, readPins, writePins } from './pins.ts';
import { refuseUnportable } from './portable-paths.ts';
import { showSkill } from './show-skill.ts';

/** What is installed at the place of a skill. */
interface Installed {
  readonly target: string;
  readonly pinsPath: string;
  readonly pins: Pins | undefined;
  /** The changes that were made to the files since they were installed. */
  readonly edited: readonly string[];
}

/**
 * `mcp skills install`: shows a skill and asks, then writes its files into a directory, and their digests
 * into a file beside it. Asks again when the skill of the server has changed.
 */
export async function install(input: CommandInput): Promise<number> {
  const { positionals, servers, options, output, signal } = input;
  const usage = ['skills', 'install', '<server>', '<skill>', '--directory', '<directory>'];
  const { server, rest } = serverFirst(positionals, servers.names, ...usage);
  const [name] = rest;
  const directory = valueOf(options, 'directory');
  if (name === undefined || directory === undefined)
    throw usageError(`Name a server, a skill and a directory: ${printedCommand(...usage)}`);
  return servers.use(server, async (client) => {
    try {
      const skill = await findSkill(client, server, name, { signal });
      const contents = await readContents(client, skill, signal);
      const installed = await lookAt(resolve(directory), server, skill);
      const pins = pinsOf(server, skill);
      const changes = changesBetween(filesIn(installed.pins), filesIn(pins));
      if (installed.pins && changes.length === 0 && installed.edited.length === 0) {
        output.foreign(`${installed.target} is up to date.`);
        return exitCodes.ok;
      }
      showSkill(input, {
        server,
        skill,
        contents,
        changes: installed.pins && changes,
        edited: installed.edited,
      });
      if (!(await isAccepted(input, installed.target))) return exitCodes.refused;
      write(installed.target, contents);
      writePins(installed.pinsPath, pins);
      output.foreign(`Installed in ${installed.target}`);
      return exitCodes.ok;
    } catch (error) {
      throw skillProblem(server, error);
    }
  });
}

async function readContents(client: Client, skill: SkillEntry, signal: AbortSignal): Promise<Contents> {
  const files = filesOf(skill);
  if (files.length === 0) throw refusal(skill, 'its content is dynamic, so that nothing can be pinned');
  try {
    refuseUnportable(files.map(({ uri }) => pathOf(skill, uri)));
  } catch (error) {
    throw refusal(skill, messageOf(error));
  }
  const contents = new Map<string, Uint8Array>();
  for (const { uri } of files)
    contents.set(pathOf(skill, uri), await readSkillFile(client, skill, uri, { signal }));
  return contents;
}

/** What is at the place of a skill. Throws a `HostError` if it was not installed from this skill. */
async function lookAt(directory: string, server: string, skill: SkillEntry): Promise<Installed> {
  const { name } = skill.frontmatter;
  const target = join(directory, name);
  const pinsPath = pinsFile(directory, name);
  const pins = readPins(pinsPath);
  if (pins && (pins.server !== server || pins.uri !== skill.uri)) {
    const other = `"${pins.uri}" of the server "${pins.server}"`;
    throw refusal(skill, `"${target}" is ${other}; choose another directory`);
  }
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats && !pins) throw refusal(skill, `"${target}" exists and was not installed by mcp; move it away`);
  if (stats && !stats.isDirectory()) throw refusal(skill, `"${target}" is a link or a file; remove it`);
  if (!pins) return { target, pinsPath, pins, edited: [] };
  const now = stats ? await digestsIn(target) : new Map<string, string>();
  const edited = changesBetween(filesIn(pins), now).map(([kind, path]) => `${kind} ${path}`);
  return { target, pinsPath, pins, edited };
}

function pinsOf(server: string, skill: SkillEntry): Pins {
  const files = filesOf(skill).map(({ uri, digest }) => [pathOf(skill, uri), digest] as const);
  return { server, uri: skill.uri, files: Object.fromEntries(files) };
}

function filesIn(pins: Pins | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(pins?.files ?? {}));
}

async function isAccepted({ options, output, signal }: CommandInput, target: string): Promise<boolean> {
  if (options['yes'] === true) return true;
  if (process.stdin.isTTY && output.interactive) {
    const terminal = { input: process.stdin, output: process.stderr };
    const answer = await askLine(`Install it in ${target}? [y/N] `, terminal, { signal });
    return /^y(?:es)?$/i.test(answer?.trim() ?? '');
  }
  output.note('Nothing was installed; --yes installs these files');
  return false;
}

/**
 * Writes the files into a new directory, which then takes the place of the old one. No file is executable,
 * and none is written through a link: each directory and file is created here.
 */
function write(target: string, contents: Contents): void {
  const parent = dirname(target);
  mkdirSync(parent, { recursive: true });
  const made = join(parent, `.mcp-skill-${randomUUID()}`);
  const old = join(parent, `.mcp-skill-${randomUUID()}`);
  mkdirSync(made);
  try {
    for (const [path, bytes] of contents) {
      const file = join(made, ...path.split('/'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes, { flag: 'wx', mode: 0o644 });
    }
    if (exists(target)) renameSync(target, old);
    renameSync(made, target);
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

function refusal({ uri }: SkillEntry, reason: string): HostError {
  return new HostError(`The skill "${uri}" is not installed: ${reason}`, {
    phase: 'call',
    exitCode: exitCodes.refused,
  });
}
