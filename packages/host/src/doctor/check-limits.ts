import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, warning, fault } = findingsOf('limits');

/** A limit below this is rather one that was written in seconds, and is read in milliseconds. */
const leastMs = 1_000;

/** The part of a limit that a start or a list may take before it is near to the limit. */
const nearly = 0.5;

/** Compares the time limits of the entry with what the server takes. */
export function checkLimits(first: Session, second: Session, longestListMs: number): Finding[] {
  const { startTimeoutMs, callTimeoutMs } = first.entry;
  const startMs = Math.round(Math.max(first.startMs, second.startMs));
  const listMs = Math.round(longestListMs);
  const data = { startTimeoutMs, callTimeoutMs, startMs, listMs };
  const isTyped = first.entry.scope === 'command-line';
  const findings = [
    judged(
      'a start',
      startMs,
      startTimeoutMs,
      isTyped ? '--start-timeout gives it more seconds' : inEntry('startup'),
    ),
    judged(
      'a list',
      listMs,
      callTimeoutMs,
      isTyped ? 'answer lists faster: clients wait no longer' : inEntry('tool'),
    ),
  ].filter((each) => each !== undefined);
  const short = Math.min(startTimeoutMs, callTimeoutMs);
  if (short < leastMs)
    findings.push(
      warning(
        `the entry has a time limit of ${short} ms`,
        'check its unit: the files of some hosts have milliseconds, those of others seconds',
        data,
      ),
    );
  if (findings.length > 0) return findings;
  return [
    ok(
      `a start took ${startMs} ms of ${startTimeoutMs} ms, and a list ${listMs} ms of ${callTimeoutMs} ms`,
      data,
    ),
  ];
}

/** The keys of Codex, which `mcp` reads in the entries of every host. */
function inEntry(what: 'startup' | 'tool'): string {
  return `set more seconds as "${what}_timeout_sec" of the entry, which mcp reads in the file of every host`;
}

function judged(what: string, ms: number, limitMs: number, mend: string): Finding | undefined {
  if (ms > limitMs) return fault(`${what} took ${ms} ms, and its limit is ${limitMs} ms`, mend);
  if (ms <= limitMs * nearly) return undefined;
  return warning(`${what} took ${ms} ms, more than half of its limit of ${limitMs} ms`, mend);
}
