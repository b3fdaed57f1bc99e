import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Position {
  readonly line: number;
  readonly column: number;
}

/** What Stryker does to a file. Lines and columns count from 1. */
interface Mutant {
  readonly location: { readonly start: Position; readonly end: Position };
  readonly replacement?: string | undefined;
}

/** A change of a source file: the changed lines before and after, each run of white space as one space. */
export interface Change {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Reads the accepted survivors of an area, `accepted/<area>.txt`: changes that no test has to notice, below
 * the reason. A reason begins with `# `, a file with `@ `, a change has a line with `- ` and one with `+ `.
 */
export function readAccepted(area: string): Change[] {
  const path = join(import.meta.dirname, 'accepted', `${area}.txt`);
  if (!existsSync(path)) return [];
  const changes: Change[] = [];
  let [reason, file, before] = ['', '', ''];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const text = line.slice(2);
    if (line.startsWith('# ')) reason = text;
    else if (line.startsWith('@ ')) file = text;
    else if (line.startsWith('- ')) before = text;
    else if (line.startsWith('+ ') && reason && file && before) changes.push({ file, before, after: text });
    else if (line !== '') throw new Error(`Invalid line in ${path}: ${JSON.stringify(line)}`);
  }
  return changes;
}

/** The change that a mutant makes in `source`, the text of its file. */
export function changeOf(
  { location: { start, end }, replacement = '' }: Mutant,
  source: string,
): Omit<Change, 'file'> {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const [first, last] = [lines[0]!, lines.at(-1)!];
  return {
    before: oneLine(lines.join('\n')),
    after: oneLine(first.slice(0, start.column - 1) + replacement + last.slice(end.column - 1)),
  };
}

/** The text with each run of white space as one space. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** The changes of `some` that are not in `others`, in which each counts as often as it occurs. */
export function without(some: readonly Change[], others: readonly Change[]): Change[] {
  const left = others.map((change) => printed([change]));
  return some.filter((change) => {
    const index = left.indexOf(printed([change]));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** The changes in the form of `accepted/<area>.txt`, without reasons. */
export function printed(changes: readonly Change[]): string {
  return [...Map.groupBy(changes, ({ file }) => file)]
    .map(
      ([file, those]) => `@ ${file}\n${those.map((each) => `- ${each.before}\n+ ${each.after}\n`).join('')}`,
    )
    .join('');
}
