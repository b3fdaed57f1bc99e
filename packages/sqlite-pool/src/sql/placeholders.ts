import { tokenize } from './tokenizer.ts';

/** Finds the names of `:name`, `@name` and `$name`, and whether the statement has a `?`. */
export function placeholdersIn(sql: string): {
  readonly names: ReadonlySet<string>;
  readonly hasUnnamed: boolean;
} {
  const names = new Set<string>();
  let hasUnnamed = false;
  let signEnd: number | undefined;
  for (const { kind, text, end } of tokenize(sql)) {
    if (kind === 'word' && (text.startsWith('$') || signEnd === end - text.length))
      names.add(sql.slice(end - text.length, end).replace(/^\$/, ''));
    if (text === '?') hasUnnamed = true;
    signEnd = text === ':' || text === '@' ? end : undefined;
  }
  return { names, hasUnnamed };
}

/** Whether a text has further SQL after its first statement. */
export function hasMoreStatements(sql: string): boolean {
  let isEnded = false;
  for (const { text } of tokenize(sql)) {
    if (isEnded && text !== ';') return true;
    if (text === ';') isEnded = true;
  }
  return false;
}
