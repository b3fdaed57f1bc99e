/** Tells how far work is; `done` grows. */
export type Progress = (done: number, total?: number, message?: string) => void;

const counted = /^(?:remote: )?([A-Z]\w*(?: \w+)*):? +\(?(?:(\d+)% +)?\(?(\d+)\/(\d+)\)/;
/** Longer lines are not of git's own: a remote can send what it likes. */
const longestLine = 200;

/** Reads what git says of its progress: `Receiving objects: 45% (9/20)`, `Rebasing (2/5)`. Every phase counts on from the one before. */
export function progressReader(progress: Progress): (line: string) => void {
  let phase = '';
  let phases = -1;
  let last = -1;
  return (line) => {
    const match = line.length <= longestLine && counted.exec(line.trim());
    if (!match) return;
    const [, name = '', , done, total] = match;
    if (name !== phase) {
      phase = name;
      phases++;
    }
    const share = Number(total) === 0 ? 1 : Math.min(1, Number(done) / Number(total));
    const now = phases + share;
    if (now <= last) return;
    last = now;
    progress(now, undefined, `${name} ${done}/${total}`);
  };
}
