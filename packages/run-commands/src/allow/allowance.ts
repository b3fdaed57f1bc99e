import type { Command, Configuration } from '../configuration/configuration.ts';
import { refuseWritable } from '../access/refuse-writable.ts';
import { differenceOf } from './difference.ts';
import { allowInRecord, readRecord, recordFile, type Seen } from './record.ts';
import { subjectsOf } from './subjects.ts';

/** The most characters of a difference that a caller gets; the operator gets all of them. */
const maxShown = 8_000;

/** A script or file that the operator has not allowed as it is now. */
export interface Unallowed {
  readonly command: string;
  readonly subject: string;
  /** Whether another text of it is allowed. */
  readonly isChanged: boolean;
  readonly now: Seen;
  /** Its text, or how it differs from the one that is allowed. */
  readonly difference: string;
}

/** A command that is refused until the operator allows it; the message has the difference. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

/** What of a command is not allowed as it is now. */
export async function unallowed(command: Command, configuration: Configuration): Promise<Unallowed[]> {
  return (await compared(command, configuration)).filter((each) => !each.isAllowed);
}

/**
 * Returns what a command runs, as the operator allowed it: first the text of its script. Throws a
 * `NotAllowed` for what is not.
 * @param allowCommand the words of the command line that allow a command, before its name
 */
export async function requireAllowed(
  command: Command,
  configuration: Configuration,
  allowCommand: string,
): Promise<readonly Seen[]> {
  const all = await compared(command, configuration);
  const found = all.filter((each) => !each.isAllowed);
  if (found.length === 0) return all.map(({ now }) => now);
  const texts = found.map(({ subject, isChanged, difference }) => {
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
      };
    }),
  );
}

/** Records that the operator allows what was shown to him. */
export async function allow(shown: readonly Unallowed[], configuration: Configuration): Promise<void> {
  const before = await readRecord(configuration.file);
  const allowed: { [command: string]: { [subject: string]: Seen } } = {};
  for (const { command, subject, now } of shown) {
    allowed[command] = { ...before[command], ...allowed[command], [subject]: now };
  }
  await allowInRecord(configuration.file, allowed);
}
