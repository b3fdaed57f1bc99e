import { DatabaseError } from '../errors.ts';
import type { DatabaseProcess } from './database-process.ts';
import { type Job, maxTimeoutMs } from './job.ts';

/** The error of an expired job: the reason of its cancellation, or a timeout. */
export function expiryReason(job: Job): unknown {
  return job.signal?.aborted ? job.signal.reason : timedOut(job);
}

function timedOut(job: Job): DatabaseError {
  const waited = job.startedAt > 0 ? '' : ' (it was still waiting for other statements)';
  return new DatabaseError({
    code: 'SQLITE_INTERRUPT',
    message: `Not finished within ${Math.round(job.timeoutMs)} ms${waited}`,
    hint: timeoutHint(job),
  });
}

function timeoutHint({ request, timeoutMs }: Job): string {
  if (request.op === 'export' || request.op === 'backup') return 'Request less';
  if (request.op !== 'query') return 'Request less, or start the server with a longer --timeout';
  return timeoutMs < maxTimeoutMs
    ? 'Request less, check the plan with explain, or raise timeout_ms'
    : 'Request less, or check the plan with explain';
}

export function processExited(process: DatabaseProcess, reason: string): DatabaseError {
  return new DatabaseError(
    process.ready
      ? {
          message: `The database process exited (${reason})`,
          hint: 'It may have run out of memory; request fewer rows or smaller values',
        }
      : {
          message: `No database process could be started (${reason})`,
          hint: 'There may be too many processes or open files; try again later',
        },
  );
}

/** The error of a statement that needs more than `maxMemory` bytes. */
export function outOfMemory(maxMemory: number): DatabaseError {
  return new DatabaseError({
    code: 'SQLITE_NOMEM',
    message: `The statement needs more than ${Math.round(maxMemory / 1024 / 1024)} MB of memory`,
    hint: 'Request less at once; read large values in parts with substr()',
  });
}

export function serverClosing(): DatabaseError {
  return new DatabaseError({ message: 'The server is shutting down' });
}

/** The hint for a write whose process has ended after its commit began, so that its outcome is unknown. */
export const unknownOutcome = 'The commit had begun: check whether the change was made before you try again';

/** The error of a write that was ended by its deadline. */
export function writeTimedOut(job: Job, hint: string = outcomeHint(job)): DatabaseError {
  return new DatabaseError({
    code: 'SQLITE_INTERRUPT',
    message: `Not finished within ${Math.round(job.timeoutMs)} ms`,
    hint,
  });
}

export function writerExited(job: Job, reason: string): DatabaseError {
  return new DatabaseError({ message: `The database process exited (${reason})`, hint: outcomeHint(job) });
}

/** The hint that says whether a write took effect, after its process has ended. */
function outcomeHint(job: Job): string {
  return job.committing ? unknownOutcome : 'Nothing was written';
}
