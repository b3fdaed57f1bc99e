import { textOf } from '../safe-text.ts';
import type { Person } from '../commands/history/log.ts';
import { zonedDate } from './nul-records.ts';

/** An annotated tag, parsed from git's tag object. */
export interface AnnotatedTag {
  readonly name: string;
  /** The hash of the object to which the tag points. */
  readonly target: string;
  readonly tagger: Person | undefined;
  readonly date: string | undefined;
  readonly message: string;
}

export function parseTag(bytes: Buffer): AnnotatedTag {
  const text = textOf(bytes);
  const end = text.indexOf('\n\n');
  const headers = end === -1 ? text : text.slice(0, end);
  const field = (key: string) => new RegExp(`^${key} (.*)$`, 'm').exec(headers)?.[1];
  const [, name, email = '', seconds, zone = ''] =
    /^(.*?) ?<([^>]*)> (\d+) ([+-]\d{4})$/.exec(field('tagger') ?? '') ?? [];
  return {
    name: field('tag') ?? '',
    target: field('object') ?? '',
    tagger: name === undefined ? undefined : { name, email },
    date: seconds === undefined ? undefined : zonedDate(Number(seconds), zone),
    message: end === -1 ? '' : text.slice(end + 2).trimEnd(),
  };
}
