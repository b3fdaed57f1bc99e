import { fileURLToPath } from 'node:url';
import { initialize, memoryMb, received, start, stop } from '../../child.ts';
import type { Program } from '../../trial.ts';

/** Bare Node, which ends at once: the lower bound of every start. */
export const bareNode: Program = { args: ['-e', '0'] };

export function filesystemOver(directory: string): Program {
  return {
    args: [fileURLToPath(new URL('../../../servers/filesystem/dist/main.cjs', import.meta.url)), directory],
  };
}

/** Starts programs once, to fill Node's compile cache. */
export async function fillCompileCache(...programs: readonly Program[]): Promise<void> {
  for (const program of programs) {
    const server = start(program);
    const ready = received(server, 1);
    server.stdin.end(initialize);
    await ready;
    // Node writes its compile cache when a process exits normally.
    await new Promise((resolve) => server.once('exit', resolve));
  }
}

/**
 * Milliseconds from spawn to the response to `initialize`, and memory in MB; of bare Node, milliseconds to
 * its end.
 */
export async function measureStart(program: Program): Promise<readonly [ms: number, idleMb: number]> {
  const started = performance.now();
  const server = start(program);
  if (program === bareNode) {
    await new Promise((resolve) => server.once('exit', resolve));
    return [performance.now() - started, Number.NaN];
  }
  const ready = received(server, 1);
  server.stdin.write(initialize);
  await ready;
  const ms = performance.now() - started;
  const idle = memoryMb(server);
  await stop(server);
  return [ms, idle];
}
