import { quoted } from '@mcp/kit';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, fault } = findingsOf('stdout');

/** Maximum number of characters that a finding shows of a line. */
const maxQuoted = 200;

/** Whether a program wrote lines on stdout that are not messages: stdout belongs to the protocol. */
export function checkStdout(sessions: readonly Session[]): Finding | undefined {
  if (!sessions.some(({ spawned }) => spawned)) return undefined;
  const lines = sessions.flatMap(({ written }) => written.rubbish);
  const [first] = lines;
  if (first === undefined) return ok('has nothing but messages');
  return fault(
    `has lines that are no JSON-RPC messages, at which many clients fail; the first is ${quoted(first, maxQuoted)}`,
    'write logs on stderr',
    {
      lines,
    },
  );
}
