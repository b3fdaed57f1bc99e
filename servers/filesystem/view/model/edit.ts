import { codeOf, lineOf } from '@mcp/views/model';

/** A row of the diff of an edit. `kind` is `#` for the name of a file, and else as in the unified format. */
export interface EditRow {
  readonly kind: '#' | '@' | ' ' | '-' | '+' | '\\';
  readonly old: number;
  readonly new: number;
  readonly text: string;
  /** The file of the row. */
  readonly path: string;
}

/** An edit is shown first, and then accepted, rejected, or refused by the server; or it was made before. */
export type EditState = 'proposed' | 'busy' | 'accepted' | 'rejected' | 'refused' | 'made';

/** What `edit_file` answers. */
export interface EditText {
  readonly rows: readonly EditRow[];
  /** What the answer says beside the diff. */
  readonly notes: string;
  /** Of a dry run: with this hash, exactly these changes are made. */
  readonly hash: string | undefined;
  readonly isCut: boolean;
  readonly added: number;
  readonly removed: number;
}

/** More rows are not kept. */
const maxRows = 100_000;

/** Reads the text of a result of `edit_file`. What a file contains is only in rows of hunks. */
export function editOf(text: string): EditText {
  const rows: EditRow[] = [];
  const notes: string[] = [];
  let hash: string | undefined;
  let isCut = false;
  let path = '';
  const hunk = { old: 0, new: 0, oldRest: 0, newRest: 0 };
  const counts = { added: 0, removed: 0 };
  for (const line of text.split('\n')) {
    const kind = line[0];
    const isInHunk = hunk.oldRest > 0 || hunk.newRest > 0;
    if (kind === '\\' || (isInHunk && (kind === ' ' || kind === '-' || kind === '+'))) {
      const [isOld, isNew] = [kind === ' ' || kind === '-', kind === ' ' || kind === '+'];
      const numbers = { old: isOld ? hunk.old : 0, new: isNew ? hunk.new : 0 };
      rows.push({ kind, ...numbers, text: codeOf(line.slice(kind === '\\' ? 0 : 1)), path });
      hunk.old += Number(isOld);
      hunk.new += Number(isNew);
      hunk.oldRest -= Number(isOld);
      hunk.newRest -= Number(isNew);
      if (kind === '+') counts.added++;
      if (kind === '-') counts.removed++;
    } else if (line.startsWith('--- ')) {
      path = line.slice(4);
      rows.push({ kind: '#', old: 0, new: 0, text: lineOf(path, 400), path });
    } else if (line.startsWith('@@ ')) {
      const [, old, oldRest = 1, added, newRest = 1] =
        /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
      Object.assign(hunk, {
        old: Number(old),
        new: Number(added),
        oldRest: Number(oldRest),
        newRest: Number(newRest),
      });
      rows.push({ kind: '@', old: hunk.old, new: hunk.new, text: lineOf(line), path });
    } else if (!line.startsWith('+++ ')) {
      hunk.oldRest = hunk.newRest = 0;
      if (line.startsWith('… the diff is cut')) isCut = true;
      else if (line.startsWith('Dry run: ')) hash = /\b[\da-f]{64}$/.exec(line)?.[0];
      else if (line !== '') notes.push(lineOf(line, 400));
    }
    if (rows.length >= maxRows) break;
  }
  return {
    rows,
    notes: notes.slice(0, 100).join('\n'),
    hash,
    isCut: isCut || rows.length >= maxRows,
    ...counts,
  };
}
