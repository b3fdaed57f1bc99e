import type { SpawnedServer } from '@mcp/protocol/stdio';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning, fault } = findingsOf('end');

/**
 * Whether a program ends when it is told to: by the end of its stdin, else by SIGTERM, else by SIGKILL,
 * with the time of each. Processes that it has started and leaves behind are found by their group.
 */
export async function checkEndOfStdin(spawned: SpawnedServer, limitMs: number): Promise<Finding[]> {
  const leftovers = watchLeftovers(spawned);
  const stdinMs = await timed(spawned, () => spawned.child.stdin?.end(), limitMs);
  if (stdinMs !== undefined) return [ok(`ends ${stdinMs} ms after its stdin`, { stdinMs }), ...leftovers()];
  const termMs = await timed(spawned, () => spawned.child.kill('SIGTERM'), limitMs);
  if (termMs !== undefined) {
    const message = `does not end within ${limitMs} ms after its stdin; ends ${termMs} ms after SIGTERM`;
    return [warning(message, { termMs }), ...leftovers()];
  }
  const killMs = await timed(spawned, () => spawned.child.kill('SIGKILL'), limitMs);
  const message = `ends neither within ${limitMs} ms after its stdin nor after SIGTERM; SIGKILL took ${killMs} ms`;
  return [fault(message, { killMs }), ...leftovers()];
}

/** Whether a program whose stdin stays open ends by SIGTERM. */
export async function checkSigterm(spawned: SpawnedServer, limitMs: number): Promise<Finding[]> {
  const leftovers = watchLeftovers(spawned);
  const termMs = await timed(spawned, () => spawned.child.kill('SIGTERM'), limitMs);
  if (termMs !== undefined)
    return [ok(`ends ${termMs} ms after SIGTERM while its stdin is open`, { termMs }), ...leftovers()];
  await spawned.stop(0);
  return [warning(`does not end within ${limitMs} ms after SIGTERM while its stdin is open`)];
}

/** Milliseconds from `signal` to the end of the process; undefined when it is longer than the limit. */
async function timed(
  { exited }: SpawnedServer,
  signal: () => unknown,
  limitMs: number,
): Promise<number | undefined> {
  const started = performance.now();
  signal();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  const end = exited.then(
    () => Math.round(performance.now() - started),
    () => Math.round(performance.now() - started),
  );
  const ms = await Promise.race([end, late]);
  clearTimeout(timer);
  return ms;
}

/** Notes at the end of the process whether its group lives on. */
function watchLeftovers({ child }: SpawnedServer): () => Finding[] {
  let isLeft = false;
  child.once('exit', () => {
    isLeft = groupLives(child.pid);
  });
  return () => {
    if (!isLeft) return [];
    return [warning('leaves processes behind that it has started, which most hosts do not end')];
  };
}

function groupLives(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.platform !== 'win32' && process.kill(-pid, 0);
  } catch {
    return false;
  }
}
