import { escapedText, lineOf, listOf, objectOf } from '@mcp/views/model';

/** A branch or a tag. */
export interface Name {
  readonly kind: 'branch' | 'remote' | 'tag';
  readonly text: string;
  readonly isCurrent: boolean;
}

export interface Commit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** ISO 8601. */
  readonly date: string;
  readonly subject: string;
  /** The rest of the message, if it was read. */
  readonly body: string;
}

const hashPattern = /^[\da-f]{40,64}$/;

/** A hash; empty for another value. */
export function hashOf(value: unknown): string {
  return typeof value === 'string' && hashPattern.test(value) ? value : '';
}

export function commitOf(value: unknown): Commit {
  const { hash, parents, author, date, subject, message } = objectOf(value);
  const text = escapedText(message, 20_000);
  return {
    hash: hashOf(hash),
    parents: listOf(parents, 100).map(hashOf).filter(Boolean),
    author: lineOf(author, 80),
    date: lineOf(date, 25),
    subject: lineOf(subject, 300),
    body: text.slice(text.indexOf('\n') + 1 || text.length).trim(),
  };
}

/** The names of commits by their hashes. */
export function namesOf(refs: unknown): Map<string, Name[]> {
  const names = new Map<string, Name[]>();
  for (const each of listOf(refs, 2_000)) {
    const { name, kind, hash, current } = objectOf(each);
    if (kind !== 'branch' && kind !== 'remote' && kind !== 'tag') continue;
    const known = names.get(hashOf(hash)) ?? [];
    names.set(hashOf(hash), [...known, { kind, text: lineOf(name, 60), isCurrent: current === true }]);
  }
  return names;
}
