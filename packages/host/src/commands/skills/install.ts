import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf, messageOf } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import { readSkillFile, type SkillEntry } from '@mcp/skills';
import { type CommandInput, valueOf } from '../../command-line/command.ts';
import { serverFirst } from '../../command-line/target.ts';
import { exitCodes, HostError, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { askLine } from '../../terminal/ask-line.ts';
import { type Contents, filesOf, pathOf } from './files.ts';
import { findSkill, skillProblem } from './find-skill.ts';
import { type InstallationPlan, planInstallation } from './installation-plan.ts';
import { changesBetween, digestsIn } from './installed-files.ts';
import { type Pins, pinsFile, readPins, writePins } from './pins.ts';
import { refuseUnportable } from './portable-paths.ts';
import { showSkill } from './show-skill.ts';
import { writeFiles } from './write-files.ts';

/** Where a skill is installed, and what is there. */
interface Place {
  readonly target: string;
  readonly pinsPath: string;
  readonly pins: Pins | undefined;
  readonly plan: InstallationPlan;
}

/**
 * `mcp skills install`: shows a skill and asks, then writes its files into a directory, and their digests
 * into a file beside it. Asks again when the skill of the server has changed. Neither deletes nor overwrites
 * a file that the user has made or changed.
 */
export async function install(input: CommandInput): Promise<number> {
  const { positionals, servers, options, signal } = input;
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
      return await installAt(resolve(directory), input, { server, skill, contents });
    } catch (error) {
      throw skillProblem(server, error);
    }
  });
}

interface ReadSkill {
  readonly server: string;
  readonly skill: SkillEntry;
  readonly contents: Contents;
}

async function installAt(directory: string, input: CommandInput, read: ReadSkill): Promise<number> {
  const { server, skill, contents } = read;
  const wanted = pinsOf(server, skill);
  const { pins, plan, target } = await lookAt(directory, skill, wanted);
  const changes = pins && changesBetween(digestsOf(pins), digestsOf(wanted));
  if (changes?.length === 0 && plan.writes.length + plan.deletes.length === 0)
    return report(input, target, `${target} is up to date.`);
  showSkill(input, { ...read, changes, plan });
  if (!(await isAccepted(input, target))) return exitCodes.refused;
  // The user may have changed the files since the question.
  const place = await lookAt(directory, skill, wanted);
  write(place, wanted, contents);
  return report(input, target, `Installed in ${target}`);
}

function report({ output }: CommandInput, directory: string, text: string): number {
  if (output.json) output.value({ directory });
  else output.foreign(text);
  return exitCodes.ok;
}

async function readContents(client: Client, skill: SkillEntry, signal: AbortSignal): Promise<Contents> {
  const files = filesOf(skill);
  if (files.length === 0) throw refusal(skill, 'its content is dynamic, so that nothing can be pinned');
  try {
    refuseUnportable([skill.frontmatter.name]);
    refuseUnportable(files.map(({ uri }) => pathOf(skill, uri)));
  } catch (error) {
    throw refusal(skill, messageOf(error));
  }
  const contents = new Map<string, Uint8Array>();
  for (const { uri } of files)
    contents.set(pathOf(skill, uri), await readSkillFile(client, skill, uri, { signal }));
  return contents;
}

/**
 * What is at the place of a skill, and what its installation does there. Throws a `HostError` if something
 * is there that was not installed from this skill.
 */
async function lookAt(directory: string, skill: SkillEntry, wanted: Pins): Promise<Place> {
  const { name } = skill.frontmatter;
  const target = join(directory, name);
  const pinsPath = pinsFile(directory, name);
  try {
    const pins = readPins(pinsPath);
    if (pins && (pins.server !== wanted.server || pins.uri !== wanted.uri))
      throw new Error(`it has "${pins.uri}" of the server "${pins.server}"; choose another directory`);
    const stats = lstatSync(target, { throwIfNoEntry: false });
    if (stats && !pins) throw new Error('it exists and was not installed by mcp; move it away');
    if (stats && !stats.isDirectory()) throw new Error('it is a link or a file; move it away');
    const found = stats ? await digestsIn(target) : new Map<string, string>();
    return { target, pinsPath, pins, plan: planInstallation(digestsOf(pins), digestsOf(wanted), found) };
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw refusal(skill, `"${target}": ${messageOf(error)}`);
  }
}

function pinsOf(server: string, skill: SkillEntry): Pins {
  const files = filesOf(skill).map(({ uri, digest }) => [pathOf(skill, uri), digest] as const);
  return { server, uri: skill.uri, files: Object.fromEntries(files) };
}

function digestsOf(pins: Pins | undefined): ReadonlyMap<string, string> {
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

function write({ target, pinsPath, pins, plan }: Place, wanted: Pins, contents: Contents): void {
  try {
    mkdirSync(dirname(target), { recursive: true });
    // A directory without pins counts as one of the user: a new one gets them before it is there. A changed
    // one gets them last, so that, after a failure, its old files still count as installed.
    if (!pins) writePins(pinsPath, wanted);
    writeFiles(target, plan, contents);
    if (pins) writePins(pinsPath, wanted);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new HostError(`"${target}" cannot be written: ${messageOf(error)}`, {
      phase: 'call',
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}

function refusal({ uri }: SkillEntry, reason: string): HostError {
  return new HostError(`The skill "${uri}" is not installed: ${reason}`, {
    phase: 'call',
    exitCode: exitCodes.refused,
  });
}
