import { DatabaseError, type FailureReason } from '../errors.ts';
import type { DatabaseProcess } from './database-process.ts';
import type { Job } from './job.ts';

/** Returns the error for an expired job: the reason of its cancellation, or a timeout. */
export function expiryReason(job: Job): unknown {
  return job.signal?.aborted ? job.signal.reason : timedOut(job);
}

function timedOut({ request, startedAt, timeoutMs }: Job): DatabaseError {
  const waited = startedAt > 0 ? '' : ', in which the statement waited for others';
  return new DatabaseError({
    code: 'SQLITE_INTERRUPT',
    message: `Not finished within ${Math.round(timeoutMs)} ms${waited}`,
    reason: timeoutReasons[request.op] ?? 'timeout',
    hint: 'Request less, or allow more time',
  });
}

const timeoutReasons: { readonly [op: string]: FailureReason } = {
  query: 'query-timeout',
  export: 'file-timeout',
  backup: 'file-timeout',
};

export function processExited(process: DatabaseProcess, reason: string): DatabaseError {
  return new DatabaseError(
    process.ready
      ? {
          message: `The database process exited (${reason})`,
          hint: 'The process may have run out of memory; request fewer rows or smaller values',
        }
      : {
          message: `No database process could be started (${reason})`,
          hint: 'There may be too many processes or open files; try again later',
        },
  );
}

/** The error for a statement that needs more than `maxMemory` bytes. */
export function outOfMemory(maxMemory: number): DatabaseError {
  return new DatabaseError({
    code: 'SQLITE_NOMEM',
    message: `The statement needs more than ${Math.round(maxMemory / 1024 / 1024)} MB of memory`,
    hint: 'Request less at once; read large values in parts with substr()',
  });
}

export function closed(): DatabaseError {
  return new DatabaseError({ message: 'The databases were closed' });
}

/** The hint if a writing process ended after its commit had begun, so that the outcome is unknown. */
export const unknownOutcome = 'The commit had begun: check whether the change was made before you try again';

/** The error for a write that was stopped at its deadline. */
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

/** The hint for a write whose process has ended. It says whether the write can have taken effect. */
function outcomeHint(job: Job): string {
  return job.committing ? unknownOutcome : 'Nothing was written';
}
