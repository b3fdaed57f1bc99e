import { codeOf, lineOf, listOf, numberOf, objectOf } from '@mcp/views/model';
import { hashOf } from './commits.ts';

/** A line of a file, with the commit that last changed it. */
export interface BlamedLine {
  readonly line: number;
  readonly text: string;
  readonly hash: string;
  readonly author: string;
  readonly date: string;
  readonly subject: string;
  /** Whether the line before has another commit. */
  readonly isFirst: boolean;
}

export function blamedLines(content: unknown): BlamedLine[] {
  return listOf(objectOf(content)['ranges'], 1_000).flatMap((each) => {
    const { start_line, hash, author, date, subject, lines } = objectOf(each);
    const of = {
      hash: hashOf(hash),
      author: lineOf(author, 60),
      date: lineOf(date, 25),
      subject: lineOf(subject),
    };
    const start = numberOf(start_line) ?? 1;
    return listOf(lines, 1_000).map((text, at) => ({
      ...of,
      line: start + at,
      text: codeOf(text),
      isFirst: at === 0,
    }));
  });
}

/** Whether the lines are in no commit yet. */
export function isUncommitted({ hash }: BlamedLine): boolean {
  return /^0*$/.test(hash);
}

const day = 86_400_000;
const ages = [30, 180, 365, 1_095].map((days) => days * day);

/** From 0, changed in the last month, to 4, in more than three years. */
export function ageOf(date: string, now: number): number {
  const age = now - Date.parse(date);
  return ages.filter((each) => age > each).length;
}
