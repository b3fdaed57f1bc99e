import { sanitizeLine } from './sanitize.ts';
import { cut } from './table.ts';

type TerminalStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

const eraseLine = '\r\u001b[K';
const maxBarWidth = 20;

/** One line of a terminal that shows the progress of a call, and is erased at its end. */
export class ProgressLine {
  readonly #stream: TerminalStream;
  #isShown = false;

  constructor(stream: TerminalStream) {
    this.#stream = stream;
  }

  show(done: number, total?: number, message?: string): void {
    if (!this.#stream.isTTY) return;
    const columns = this.#stream.columns || 80;
    const bar = barOf(done, total, Math.min(maxBarWidth, Math.floor(columns / 4)));
    const parts = [bar, message].filter((each) => each !== undefined);
    this.#stream.write(`${eraseLine}${cut(sanitizeLine(parts.join(' ')), columns - 1)}`);
    this.#isShown = true;
  }

  erase(): void {
    if (this.#isShown) this.#stream.write(eraseLine);
    this.#isShown = false;
  }
}

function barOf(done: number, total: number | undefined, width: number): string {
  if (total === undefined || !(total > 0)) return String(done);
  const filled = Math.round(Math.min(1, Math.max(0, done / total)) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}`;
}
