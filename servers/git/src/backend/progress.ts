/** Reports progress; `done` increases with each report. */
export type Progress = (done: number, total?: number, message?: string) => void;

const counter = /^(?:remote: )?([A-Z]\w*(?: \w+)*):? +\(?(?:(\d+)% +)?\(?(\d+)\/(\d+)\)/;
/** Git's own progress lines are shorter; a remote can send lines of any length. */
const maxLineLength = 200;

/**
 * Returns a function that takes lines of git's stderr and reports the progress in them, such as
 * `Receiving objects: 45% (9/20)` or `Rebasing (2/5)`. Each phase adds 1 to the phases before it.
 */
export function progressReader(progress: Progress): (line: string) => void {
  let phase = '';
  let phases = -1;
  let reported = -1;
  return (line) => {
    const match = line.length <= maxLineLength && counter.exec(line.trim());
    if (!match) return;
    const [, name = '', , done, total] = match;
    if (name !== phase) {
      phase = name;
      phases++;
    }
    const share = Number(total) === 0 ? 1 : Math.min(1, Number(done) / Number(total));
    const current = phases + share;
    if (current <= reported) return;
    reported = current;
    progress(current, undefined, `${name} ${done}/${total}`);
  };
}
