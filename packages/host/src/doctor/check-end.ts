import { within } from '@mcp/kit';
import type { SpawnedServer } from '@mcp/protocol/stdio';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning, fault } = findingsOf('end');

const mendStdin = 'end the process at the end of its stdin, as the specification of stdio says';
const mendSigterm = 'end the process by SIGTERM: a handler of this signal must end it';

/**
 * Closes the stdin of a program. If it does not end, sends SIGTERM, and then SIGKILL. Reports which of these
 * ended the program, and whether it leaves processes behind.
 */
export async function checkEndOfStdin(spawned: SpawnedServer, limitMs: number): Promise<Finding[]> {
  const leftovers = watchLeftovers(spawned);
  const stdinMs = await timed(spawned, () => spawned.child.stdin?.end(), limitMs);
  if (stdinMs !== undefined)
    return [ok(`ends ${stdinMs} ms after the end of its stdin`, { stdinMs }), ...leftovers()];
  const termMs = await timed(spawned, () => spawned.child.kill('SIGTERM'), limitMs);
  if (termMs !== undefined) {
    const message = `does not end within ${limitMs} ms after the end of its stdin; ends ${termMs} ms after SIGTERM`;
    return [warning(message, mendStdin, { termMs }), ...leftovers()];
  }
  const killMs = await timed(spawned, () => spawned.child.kill('SIGKILL'), limitMs);
  const message = `ends neither within ${limitMs} ms after the end of its stdin nor after SIGTERM, but ${killMs} ms after SIGKILL`;
  return [fault(message, `${mendStdin}; ${mendSigterm}`, { killMs }), ...leftovers()];
}

/** Checks whether a program whose stdin stays open ends by SIGTERM. */
export async function checkSigterm(spawned: SpawnedServer, limitMs: number): Promise<Finding[]> {
  const leftovers = watchLeftovers(spawned);
  const termMs = await timed(spawned, () => spawned.child.kill('SIGTERM'), limitMs);
  if (termMs !== undefined)
    return [ok(`ends ${termMs} ms after SIGTERM while its stdin is open`, { termMs }), ...leftovers()];
  await spawned.stop(0);
  return [warning(`does not end within ${limitMs} ms after SIGTERM while its stdin is open`, mendSigterm)];
}

/** Calls `signal` and returns the milliseconds until the process ends; undefined after `limitMs`. */
async function timed(
  { exited }: SpawnedServer,
  signal: () => unknown,
  limitMs: number,
): Promise<number | undefined> {
  const started = performance.now();
  signal();
  const end = () => Math.round(performance.now() - started);
  return within(limitMs, exited.then(end, end));
}

/**
 * Watches whether other processes of the group are left when the process ends; the returned function reports
 * this as a finding.
 */
function watchLeftovers({ child }: SpawnedServer): () => Finding[] {
  let isLeft = false;
  child.once('exit', () => {
    isLeft = groupLives(child.pid);
  });
  return () => {
    if (!isLeft) return [];
    return [
      warning(
        'leaves processes behind that it has started, which most hosts do not end',
        'end them when the server ends; a launcher must pass signals on',
      ),
    ];
  };
}

function groupLives(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.platform !== 'win32' && process.kill(-pid, 0);
  } catch {
    return false;
  }
}
