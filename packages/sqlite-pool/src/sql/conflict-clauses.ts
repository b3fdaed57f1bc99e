import { tokenize } from './tokenizer.ts';

/**
 * Whether a clause lets a conflict change other rows or end the transaction: OR REPLACE, ON CONFLICT …
 * REPLACE, DO UPDATE or ROLLBACK. The function `replace` does not count.
 */
export function resolvesConflicts(sql: string): boolean {
  if (!/replace|conflict/i.test(sql)) return false;
  return (
    wordsOf(sql).some((word, index, words) => {
      const [next, afterNext = ''] = words.slice(index + 1, index + 3);
      if (word === 'insert' || word === 'update') return next === 'or' && afterNext === 'replace';
      return word === 'on' && next === 'conflict' && /^(?:replace|rollback)$/.test(afterNext);
    }) || isUpsert(sql)
  );
}

/** Whether an INSERT may update existing rows instead of inserting. */
export function isUpsert(sql: string): boolean {
  return (
    /conflict/i.test(sql) &&
    wordsOf(sql).some((word, index, words) => word === 'do' && words[index + 1] === 'update')
  );
}

/** Returns the words of a statement in order. For any other token, the list has an empty text. */
function wordsOf(sql: string): readonly string[] {
  return [...tokenize(sql)].map(({ kind, text }) => (kind === 'word' ? text : ''));
}
