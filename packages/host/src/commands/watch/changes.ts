import { type CommandInput, valueOf } from '../../command-line/command.ts';
import { countOf, millisecondsOf } from '../../command-line/option-values.ts';
import { type Change, ExecQueue } from './exec-queue.ts';

const defaultExecTimeoutMs = 60_000;

/** Prints changes, and runs the command of `--exec`. */
export class Changes {
  /** Resolves when `--count` changes have arrived, and the command of `--exec` has run for them. */
  readonly complete: Promise<void>;
  readonly #input: CommandInput;
  readonly #exec: ExecQueue | undefined;
  readonly #max: number;
  #count = 0;
  #finish: () => void = () => {};

  constructor(input: CommandInput) {
    const { options, output } = input;
    this.#input = input;
    this.#max = countOf(options);
    const timeoutMs = millisecondsOf(options, 'exec-timeout') ?? defaultExecTimeoutMs;
    const command = valueOf(options, 'exec');
    const warn = (message: string) => output.warning(message);
    this.#exec = command === undefined ? undefined : new ExecQueue({ command, timeoutMs, warn });
    this.complete = new Promise((resolve) => (this.#finish = resolve));
  }

  add(change: Change): void {
    if (this.#count >= this.#max) return;
    this.#count++;
    const { output } = this.#input;
    if (output.json) output.jsonLine({ ...change, at: new Date().toISOString() });
    else output.foreign(`${change.server} ${change.uri ?? `list of ${change.list}`}`);
    this.#exec?.add(change);
    if (this.#count === this.#max) void (this.#exec?.drained() ?? Promise.resolve()).then(this.#finish);
  }

  stop(): void {
    this.#exec?.stop();
  }
}
