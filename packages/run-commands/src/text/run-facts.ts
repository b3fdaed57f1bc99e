import type { Run } from '../run/run.ts';
import { type Excerpt, excerptOf } from './excerpt.ts';

/** The result of a run as structured values. Null means "none". */
export interface RunFacts extends Excerpt {
  readonly run: number;
  readonly command: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the command was stopped; null if it ended by itself. */
  readonly stopped: 'timeout' | 'cancelled' | null;
  readonly durationMs: number | null;
  readonly lines: number;
  readonly bytes: number;
  readonly droppedBytes: number;
  readonly sandbox: 'bubblewrap' | 'unshare' | null;
}

export function runFacts(run: Run): RunFacts {
  const { id, command, ended, output, sandbox = null } = run;
  return {
    run: id,
    command,
    exitCode: ended?.code ?? null,
    signal: ended?.signal ?? null,
    stopped: ended?.stopped ?? null,
    durationMs: ended ? Math.round(ended.durationMs) : null,
    lines: output.lines,
    bytes: output.bytes,
    droppedBytes: output.droppedBytes,
    sandbox,
    ...excerptOf(run),
  };
}
