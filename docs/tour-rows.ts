/** How many seconds a command is shown before its output. */
const commandSeconds = 1;
/** How many seconds the output is shown before the next command: this time, and `rowSeconds` for each row. */
const outputSeconds = 1.6;
const rowSeconds = 0.16;
/** How many seconds the end of the tour, or of a scene, is shown. */
export const endSeconds = 5;

type Kind = 'title' | 'command' | 'output' | 'removed' | 'added';

/** A line of the recorded tour, or a part of one. */
export interface Row {
  readonly kind: Kind;
  readonly text: string;
}

/** When `at` seconds have passed, the first `shown` rows are visible. */
export interface Frame {
  readonly at: number;
  readonly shown: number;
}

/** The rows of the session; a line that has more than `columns` characters becomes several rows. */
export function rowsOf(session: string, columns = Infinity): Row[] {
  return session
    .trim()
    .split('\n')
    .flatMap((line): Row[] => {
      const kind = kindOf(line);
      const text = kind === 'title' ? line : line.slice(2);
      const parts = columns < text.length ? text.match(new RegExp(`.{1,${columns}}`, 'gu'))! : [text];
      return parts.map((part) => ({ kind, text: part }));
    });
}

function kindOf(line: string): Kind {
  if (line.startsWith('— ')) return 'title';
  if (line.startsWith('  $ ')) return 'command';
  if (line.startsWith('    - ')) return 'removed';
  return line.startsWith('    + ') ? 'added' : 'output';
}

/** A command appears together with its title. Its whole output appears later, in one step. */
export function framesOf(all: readonly Row[]): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  const starts = all.flatMap(({ kind, text }, index) =>
    kind === 'command' && text.startsWith('$ ') ? [index] : [],
  );
  for (const [number, start] of starts.entries()) {
    const next = starts[number + 1] ?? all.length;
    // The title of the next command appears with it.
    const end =
      start + 1 + all.slice(start, next).findLastIndex(({ kind, text }) => kind !== 'title' && text !== '');
    const output = all.slice(start, end).findIndex(({ kind }) => kind === 'output');
    frames.push({ at, shown: output === -1 ? end : start + output });
    at = rounded(at + commandSeconds);
    frames.push({ at, shown: end });
    at = rounded(at + outputSeconds + rowSeconds * (end - start));
  }
  return frames;
}

const rounded = (seconds: number) => Math.round(seconds * 100) / 100;
