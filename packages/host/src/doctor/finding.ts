import { messageOf } from '@mcp/kit';
import { HostError } from '../errors.ts';

/**
 * How serious a finding is, the most serious level last. `warning` and `fault` change the exit code of `mcp
 * doctor`.
 */
export const levels = ['ok', 'note', 'warning', 'fault'] as const;

export type Level = (typeof levels)[number];

export interface Finding {
  readonly check: CheckName;
  readonly level: Level;
  /** One sentence without a full stop. It contains no secrets; a server's own text is quoted. */
  readonly message: string;
  /** What to do about a warning or a fault, as a sentence without a full stop. */
  readonly mend?: string;
  /** The measured values, for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export type CheckName =
  | 'start'
  | 'memory'
  | 'capabilities'
  | 'lists'
  | 'schemas'
  | 'stdout'
  | 'revisions'
  | 'end'
  | 'authorization'
  | 'card'
  | 'cost'
  | 'limits'
  | 'skills'
  | 'views';

/**
 * Returns functions that make findings of one check, one function for each level. Those that ask somebody to
 * do something say what.
 */
export function findingsOf(check: CheckName) {
  const plain =
    (level: Level) =>
    (message: string, data?: Finding['data']): Finding => ({ check, level, message, ...(data && { data }) });
  const serious =
    (level: Level) =>
    (message: string, mend: string, data?: Finding['data']): Finding => ({
      ...plain(level)(message, data),
      mend,
    });
  return { ok: plain('ok'), note: plain('note'), warning: serious('warning'), fault: serious('fault') };
}

/** The error of a check as a finding; `mend` is for an error that does not say what to do. */
export function findingOf(check: CheckName, error: unknown, mend: string): Finding {
  const hint = error instanceof HostError ? error.hint : undefined;
  return findingsOf(check).fault(messageOf(error), hint ?? mend);
}

/** The most serious level of some findings. */
export function worstOf(findings: readonly Finding[]): Level {
  return levels.findLast((level) => findings.some((each) => each.level === level)) ?? 'ok';
}
