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
  | 'card';

/** Returns functions that make findings of one check, one function for each level. */
export function findingsOf(check: CheckName) {
  const at = (level: Level) => (message: string, data?: Finding['data']) => ({
    check,
    level,
    message,
    ...(data && { data }),
  });
  return { ok: at('ok'), note: at('note'), warning: at('warning'), fault: at('fault') };
}

/** The most serious level of some findings. */
export function worstOf(findings: readonly Finding[]): Level {
  return levels.findLast((level) => findings.some((each) => each.level === level)) ?? 'ok';
}
