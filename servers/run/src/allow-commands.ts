import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { allow, commandNamed, readConfiguration, recordFile, unallowed } from '@mcp/run-commands';

/**
 * The command line `allow <commands.json> [command…] [--yes]`: shows the scripts and files that are not
 * allowed in their present state, asks the operator, and records the answer. Returns the exit code: 0 if
 * everything is allowed at the end, 1 if the operator declined, 2 for a wrong argument, or if a command
 * cannot be allowed, for example because its program is missing; the others are allowed nevertheless.
 */
export async function allowCommands(args: readonly string[], program: string): Promise<number> {
  try {
    return await showAndAsk(args);
  } catch (error) {
    process.stderr.write(`${program} allow: ${textOf(error)}\n`);
    return 2;
  }
}

async function showAndAsk(args: readonly string[]): Promise<number> {
  const [file, ...names] = args.filter((each) => !each.startsWith('-'));
  const wrong = args.find((each) => each.startsWith('-') && each !== '--yes');
  if (wrong !== undefined) throw new Error(`Unknown option: "${wrong}"; the only one is --yes`);
  if (file === undefined) throw new Error('Missing argument: allow <commands.json> [command…] [--yes]');
  const configuration = readConfiguration(file);
  for (const name of names) commandNamed(name, configuration);
  const chosen = [...configuration.commands.values()].filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
  const read = await Promise.allSettled(chosen.map((each) => unallowed(each, configuration)));
  const shown = read.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const failures = read.flatMap((each, index) =>
    each.status === 'rejected' ? [`${chosen[index]!.name}: ${textOf(each.reason)}`] : [],
  );
  for (const failure of failures) process.stderr.write(`Cannot be allowed: ${failure}\n`);
  const code = failures.length > 0 ? 2 : 0;
  if (shown.length === 0) {
    const others = failures.length > 0 ? ' of the other commands' : '';
    process.stdout.write(`Nothing to allow: everything${others} is allowed in its present form\n`);
    return code;
  }
  for (const { command, subject, isChanged, difference } of shown)
    process.stdout.write(`${command}: ${subject}${isChanged ? ' has changed' : ''}\n${difference}\n\n`);
  if (!args.includes('--yes') && !(await isConfirmed())) {
    process.stdout.write('Nothing was allowed\n');
    return 1;
  }
  await allow(shown, configuration);
  process.stdout.write(`Recorded in ${recordFile(configuration.file)}\n`);
  return code;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Asks in the terminal; the end of the input counts as no. */
async function isConfirmed(): Promise<boolean> {
  process.stdout.write('Allow this? [y/N] ');
  const lines = createInterface({ input: process.stdin });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    once(lines, 'close').then(() => ''),
  ]);
  lines.close();
  return /^y(?:es)?$/i.test(line.trim());
}
