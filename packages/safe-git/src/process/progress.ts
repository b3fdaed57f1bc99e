/** Reports progress. `done` increases with every report. */
export type Progress = (done: number, total?: number, message?: string) => void;

/**
 * Returns a function that creates a `Progress` for each part of a call. The `done` of a part starts at the
 * highest value of the parts before it.
 */
export function consecutive(progress: Progress): () => Progress {
  let reached = 0;
  return () => {
    const before = reached;
    return (done, total, message) => {
      reached = Math.max(reached, before + done);
      progress(before + done, total, message);
    };
  };
}

const counter = /^(?:remote: )?([A-Z]\w*(?: \w+)*):? +\(?(?:(\d+)% +)?\(?(\d+)\/(\d+)\)/;
/** Longer lines are not parsed, because a remote can send lines of any length. */
const maxLineLength = 200;

/**
 * Reports the progress in lines of git's stderr, such as `Receiving objects: 45% (9/20)`. `done` is the
 * number of complete phases plus the completed share of the present phase.
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

const intervalMs = 1_000;
const minIntervalMs = 200;

/** Reports the elapsed time and the bytes read, for commands for which git itself prints no progress. */
export class ReadProgress implements Disposable {
  readonly #progress: Progress;
  readonly #command: string;
  readonly #started = Date.now();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #reports = 0;
  #reportedAt = Date.now();

  constructor(progress: Progress, command: string) {
    this.#progress = progress;
    this.#command = command;
    this.#timer = setInterval(() => this.#report(), intervalMs);
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
    if (Date.now() - this.#reportedAt >= minIntervalMs) this.#report();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #report(): void {
    this.#reportedAt = Date.now();
    const seconds = Math.round((this.#reportedAt - this.#started) / 1_000);
    const kib = Math.ceil(this.#bytes / 1_024);
    this.#progress(++this.#reports, undefined, `git ${this.#command}: ${seconds} s, ${kib} KiB read`);
  }
}
