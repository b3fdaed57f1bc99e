import type { Command } from '../command-line/command.ts';
import { millisecondsOf } from '../command-line/option-values.ts';
import type { ExamineOptions } from '../doctor/examine.ts';
import { type Finding, findingOf, type Level, worstOf } from '../doctor/finding.ts';
import { exitCodes } from '../errors.ts';
import { noteWithoutServers } from '../views/no-servers.ts';
import { authorizeWith } from '../login/authorize.ts';
import type { Servers } from '../servers/servers.ts';
import type { Output } from '../terminal/output.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';

const defaultLimitSeconds = 10;

export const doctor: Command = {
  name: 'doctor',
  usage: '[server…]',
  help: 'checks servers, and says how to mend each fault: start, time limits, memory, lists, cost, schemas, skills, views, revisions, stdout, shutdown, server card and authorization',
  words: ['server'],
  options: [
    {
      name: 'timeout',
      value: 'seconds',
      help: `how long each start, request and end may take; ${defaultLimitSeconds} by default`,
    },
  ],
  async run(input) {
    const { positionals, options, servers, output, store, signal } = input;
    noteWithoutServers(input);
    const limitMs = millisecondsOf(options, 'timeout') ?? defaultLimitSeconds * 1_000;
    const authorize = authorizeWith({ store, open: undefined, warn: (message) => output.note(message) });
    const names = positionals.length > 0 ? positionals : servers.names;
    const reports: [string, readonly Finding[]][] = [];
    // The servers are examined one after the other, so that they do not slow each other down.
    for (const name of names) {
      if (!output.json) output.text(output.styled('bold', name));
      const print = (finding: Finding) => {
        if (!output.json) output.text(textOf(finding, output));
      };
      const examined = examineNamed(name, servers, { limitMs, authorize, signal }, print);
      reports.push([name, await (names.length === 1 ? examined : orFault(examined, print, signal))]);
    }
    if (output.json) {
      output.value(
        Object.fromEntries(reports.map(([name, findings]) => [name, { level: worstOf(findings), findings }])),
      );
    }
    return exitCodeOf[worstOf(reports.flatMap(([, findings]) => findings))];
  },
};

async function examineNamed(
  name: string,
  servers: Servers,
  options: ExamineOptions,
  print: (finding: Finding) => void,
): Promise<readonly Finding[]> {
  // Imported only here, so that other commands start faster.
  const { examine } = await import('../doctor/examine.ts');
  return examine(await servers.consented(name), options, print);
}

/** Returns an error of the examination as a finding, so that the other servers are still examined. */
async function orFault(
  examined: Promise<readonly Finding[]>,
  print: (finding: Finding) => void,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  try {
    return await examined;
  } catch (error) {
    signal.throwIfAborted();
    const finding = findingOf('start', error, 'correct the entry of the server');
    print(finding);
    return [finding];
  }
}

const exitCodeOf = {
  ok: exitCodes.ok,
  note: exitCodes.ok,
  warning: exitCodes.warnings,
  fault: exitCodes.faults,
} as const satisfies Record<Level, number>;

function textOf({ check, level, message, mend }: Finding, output: Output): string {
  const first = `  ${level.padEnd(8)} ${check.padEnd(13)} ${sanitizeLine(message)}`;
  const line = mend === undefined ? first : `${first}\n${' '.repeat(25)}${sanitizeLine(mend)}`;
  if (level === 'fault') return output.styled('red', line);
  if (level === 'warning') return output.styled('yellow', line);
  return level === 'note' ? output.styled('dim', line) : line;
}
