import { createInterface, type Interface } from 'node:readline/promises';
import { maxHistory } from './history-file.ts';

export interface LineReaderOptions {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
  readonly prompt: string;
  /** When this signal aborts, the input ends. */
  readonly signal: AbortSignal;
  /** Earlier lines, the newest first. */
  readonly history: readonly string[];
  /** The completions, and the part of the line that a completion replaces. */
  complete(line: string): Promise<readonly [suggestions: string[], replaced: string]>;
}

/**
 * Reads lines one at a time. While no line is being read, the terminal is not in raw mode, so that Ctrl-C
 * interrupts the process, and other code can read from the terminal. If the input is no terminal, no prompt
 * is shown.
 */
export class LineReader {
  readonly #options: LineReaderOptions;
  readonly #waiting: string[] = [];
  #history: string[];
  #typed = '';
  #piped: AsyncIterator<string> | undefined;

  constructor(options: LineReaderOptions) {
    this.#options = options;
    this.#history = [...options.history];
  }

  /** The lines that were read, the newest first. */
  get history(): readonly string[] {
    return this.#history;
  }

  /** The next line; undefined at the end of the input. */
  async next(): Promise<string | undefined> {
    if (this.#waiting.length > 0) return this.#waiting.shift();
    if (this.#options.input.isTTY) return this.#readTerminal();
    this.#piped ??= createInterface({
      input: this.#options.input,
      crlfDelay: Infinity,
      signal: this.#options.signal,
    })[Symbol.asyncIterator]();
    const { value, done } = await this.#piped.next();
    return done ? undefined : value;
  }

  #readTerminal(): Promise<string | undefined> {
    const { input, output, prompt, signal } = this.#options;
    let isClosed = false;
    const reader = createInterface({
      input,
      output,
      prompt,
      terminal: true,
      signal,
      history: [...this.#history],
      historySize: maxHistory,
      removeHistoryDuplicates: true,
      completer: async (line: string) => {
        const completed = await this.#complete(line);
        // If the reader was closed in the meantime, the promise never settles, because readline would throw
        // if it got completions after its end.
        return isClosed ? new Promise<never>(() => {}) : completed;
      },
    });
    reader.once('close', () => (isClosed = true));
    reader.on('history', (history: string[]) => (this.#history = history));
    return this.#lineOf(reader);
  }

  async #complete(line: string): Promise<[string[], string]> {
    try {
      const [suggestions, replaced] = await this.#options.complete(line);
      return [suggestions, replaced];
    } catch {
      return [[], line];
    }
  }

  #lineOf(reader: Interface): Promise<string | undefined> {
    return new Promise((resolve) => {
      let line: string | undefined;
      let isInterrupted = false;
      reader.on('line', (read) => {
        if (line === undefined) {
          line = read;
          // Closes the reader only two turns of the event loop later: further lines or a Ctrl-C may be in the
          // same chunk as this line, or may have arrived while this line was printed.
          setImmediate(() =>
            setImmediate(() => {
              this.#typed = reader.line;
              reader.close();
            }),
          );
        } else this.#waiting.push(read);
      });
      reader.on('SIGINT', () => {
        this.#options.output.write('^C\n');
        isInterrupted ||= line !== undefined;
        if (isInterrupted) return;
        reader.write(null, { ctrl: true, name: 'e' });
        reader.write(null, { ctrl: true, name: 'u' });
        reader.prompt();
      });
      reader.on('close', () => {
        if (line === undefined) this.#options.output.write('\n');
        resolve(line);
        // If Ctrl-C was pressed after the line was entered, it is meant for the work that the line starts, so
        // it is sent to the process again.
        if (isInterrupted) setImmediate(() => process.kill(process.pid, 'SIGINT'));
      });
      reader.prompt();
      if (this.#typed !== '') reader.write(this.#typed);
      this.#typed = '';
    });
  }
}
