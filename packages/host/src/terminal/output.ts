import { type ImageProtocol, imageProtocolOf } from './images/image-protocol.ts';
import { querySixel } from './images/query-sixel.ts';
import { jsonText, sanitize } from './sanitize.ts';

export interface OutputOptions {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /**
   * Opens the stream on which the terminal answers queries, such as those about images; without it, none are
   * sent.
   */
  readonly stdin?: (() => NodeJS.ReadStream) | undefined;
  /** Whether results are printed as JSON, with the objects of the MCP specification, instead of text. */
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

const minWidth = 20;
/** The width of a terminal that does not tell its width, in columns. */
const defaultWidth = 80;

/** Prints data to stdout and messages to stderr, and removes control sequences from what servers wrote. */
export class Output {
  readonly json: boolean;
  readonly interactive: boolean;
  /**
   * The number of columns of the terminal; Infinity if stdout is no terminal, so that programs read whole
   * lines.
   */
  readonly width: number;
  readonly #options: OutputOptions;
  readonly #colors: boolean;

  constructor(options: OutputOptions) {
    const { stdout, json, env } = options;
    this.#options = options;
    this.json = json;
    this.interactive = stdout.isTTY === true;
    this.width = this.interactive ? Math.max(minWidth, stdout.columns || defaultWidth) : Infinity;
    this.#colors = showsColors(stdout, env);
  }

  /** Prints text and a line break. */
  text(text: string): void {
    this.#options.stdout.write(`${text}\n`);
  }

  /** Prints text that a server wrote. */
  foreign(text: string): void {
    this.text(sanitize(text));
  }

  /** Prints a value as JSON on one line, for commands that print values one by one. */
  jsonLine(value: unknown): void {
    this.text(jsonText(value));
  }

  /** Prints a value as JSON: indented for a person, on one line for a program. */
  value(value: unknown): void {
    this.text(jsonText(value, this.interactive ? 2 : undefined));
  }

  /** Prints one line to stderr, without control sequences. */
  note(text: string, style?: Style): void {
    const { stderr, env } = this.#options;
    const clean = sanitize(text);
    stderr.write(`${style && showsColors(stderr, env) ? colored(style, clean) : clean}\n`);
  }

  /** Prints a problem that does not end the command; with `json` as one line of JSON. */
  warning(message: string): void {
    if (this.json) this.note(jsonText({ warning: { message } }));
    else this.note(message, 'yellow');
  }

  /** The protocol with which the terminal shows images; undefined if it shows none. */
  async imageProtocol(): Promise<ImageProtocol | undefined> {
    const { stdin, stdout, env } = this.#options;
    if (!this.interactive) return undefined;
    const known = imageProtocolOf(env, (message) => this.warning(message));
    if (known) return known === 'none' ? undefined : known;
    const answers = stdin?.();
    return answers?.isTTY && (await querySixel(answers, stdout)) ? 'sixel' : undefined;
  }

  /** The text without control sequences, in a style if stdout shows colours. */
  styled(style: Style, text: string): string {
    const clean = sanitize(text);
    return this.#colors ? colored(style, clean) : clean;
  }

  /** A copy of this output, with or without JSON. */
  withJson(json: boolean): Output {
    return new Output({ ...this.#options, json });
  }
}

function showsColors({ isTTY }: { readonly isTTY?: boolean }, env: OutputOptions['env']): boolean {
  return isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

function colored(style: Style, text: string): string {
  const [on, off] = codes[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}
