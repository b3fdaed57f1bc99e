import { displayName } from '../backend/display-name.ts';
import type { AnnotatedTag } from '../backend/commands/tag-object.ts';
import { indented, personText } from './commit-text.ts';

/** An annotated tag with its message. */
export function tagText({ name, tagger, date, message }: AnnotatedTag): string {
  return [
    `tag ${displayName(name)}`,
    ...(tagger === undefined ? [] : [`Tagger: ${personText(tagger)} ${date}`]),
    ...indented(message),
  ].join('\n');
}
