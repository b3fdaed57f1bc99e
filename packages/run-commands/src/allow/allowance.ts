import type { Command, Configuration } from '../configuration/configuration.ts';
import { refuseWritable } from '../access/refuse-writable.ts';
import { differenceForCaller, differenceOf } from './difference.ts';
import { allowInRecord, readRecord, recordFile, type Seen } from './record.ts';
import { subjectsOf } from './subjects.ts';

/**
 * How many characters the error message shows of the difference between the allowed content and the present
 * one. The operator sees all of it before he allows the command.
 */
const maxShown = 8_000;

/** A script or file whose present content the operator has not allowed. */
export interface Unallowed {
  readonly command: string;
  readonly subject: string;
  /** Whether the operator allowed an earlier content of the script or file: it was changed since then. */
  readonly isChanged: boolean;
  readonly now: Seen;
  /**
   * The text of the script or file or, if another text is allowed, the difference from it. Only the operator
   * may see it.
   */
  readonly difference: string;
  /** The difference without the text of files to which the agent may have made a link. */
  readonly differenceForCaller: string;
}

/**
 * Thrown for a command that the operator has not allowed as it is now. The message shows the text of the
 * script or file, or what has changed in it after it was allowed.
 */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

/** Returns the scripts and files of a command whose present content is not allowed. */
export async function unallowed(command: Command, configuration: Configuration): Promise<Unallowed[]> {
  return (await compared(command, configuration)).filter((each) => !each.isAllowed);
}

/**
 * Returns the scripts and files that a command runs, as the operator has allowed them; a package script comes
 * first. Throws `NotAllowed` if the present content of one is not allowed.
 * @param allowCommand the command line that the operator types to allow a command, without the command's
 * name, which follows it
 */
export async function requireAllowed(
  command: Command,
  configuration: Configuration,
  allowCommand: string,
): Promise<readonly Seen[]> {
  const all = await compared(command, configuration);
  const found = all.filter((each) => !each.isAllowed);
  if (found.length === 0) return all.map(({ now }) => now);
  const texts = found.map(({ subject, isChanged, differenceForCaller: difference }) => {
    const said = `${subject} is not ${isChanged ? 'as the operator allowed it, ' : 'allowed yet:\n'}`;
    const rest = difference.length - maxShown;
    return `${said}${rest > 0 ? `${difference.slice(0, maxShown)}\n… ${rest} more characters` : difference}`;
  });
  throw new NotAllowed(
    `${texts.join('\n')}\nNothing was run. The operator allows it by running: ${allowCommand} ${command.name}`,
  );
}

async function compared(
  command: Command,
  configuration: Configuration,
): Promise<(Unallowed & { readonly isAllowed: boolean })[]> {
  const { file, writable } = configuration;
  const subjects = subjectsOf(command, configuration);
  if (subjects.length === 0) return [];
  refuseWritable(recordFile(file), 'The record', writable);
  const allowed = (await readRecord(file))[command.name] ?? {};
  return Promise.all(
    subjects.map(async (subject) => {
      const before = Object.hasOwn(allowed, subject.name) ? allowed[subject.name] : undefined;
      const now = await subject.read();
      return {
        command: command.name,
        subject: subject.name,
        isAllowed: before?.sha256 === now.sha256 && before.leadsTo === now.leadsTo,
        isChanged: before !== undefined,
        now,
        difference: differenceOf(before, now),
        differenceForCaller: differenceForCaller(before, now, writable),
      };
    }),
  );
}

/** Records that the operator allows the content that was shown to him. */
export async function allow(shown: readonly Unallowed[], configuration: Configuration): Promise<void> {
  const before = await readRecord(configuration.file);
  const allowed: { [command: string]: { [subject: string]: Seen } } = {};
  for (const { command, subject, now } of shown) {
    allowed[command] = { ...before[command], ...allowed[command], [subject]: now };
  }
  await allowInRecord(configuration.file, allowed);
}
