import { type ChildProcess, fork } from 'node:child_process';
import { extname, join, sep } from 'node:path';
import type { LanguageName } from './language-names.ts';
import { type Outline, nest } from './outline.ts';
import { OutlineError } from './outline-error.ts';
import type { ParseRequest, ParseResponse } from './parser-protocol.ts';

export interface OutlinerOptions {
  /** Maximum number of characters of a text. Defaults to 4 Mi. */
  readonly maxLength?: number | undefined;
  /** Maximum number of symbols of an outline. Defaults to 20,000. */
  readonly maxSymbols?: number | undefined;
  /** Maximum time for one text in milliseconds. Defaults to 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum memory of the parser in bytes, at least 32 MiB. Defaults to 512 MiB. */
  readonly maxMemory?: number | undefined;
}

const defaults = {
  maxLength: 4 * 1024 * 1024,
  maxSymbols: 20_000,
  timeoutMs: 5_000,
  maxMemory: 512 * 1024 * 1024,
};

/**
 * The process is ended after a text of more than `largeLength` characters, or when it had no text for
 * `idleMs`.
 */
const largeLength = 256 * 1024;
const idleMs = 60_000;

/**
 * Matches a line with about 200 nested Markdown blocks. Such a text is refused, because the grammar can
 * handle only 250.
 */
const deepBlocks = /^[ \t]*(?:[>*+-][ \t]*){200}|^[ \t]{400}/m;

/**
 * Makes outlines in a process of their own, one text at a time. A worker thread would not do: V8 can abort
 * the whole process when a thread that runs WebAssembly is terminated. The process does not keep this one
 * alive. It ends after a large text, after a minute without any text, and when a parse exceeds a limit. It
 * has none of this process's environment. Where Node has `--permission`, it can read only the files of this
 * package.
 */
export class Outliner implements AsyncDisposable {
  readonly #maxLength: number;
  readonly #maxSymbols: number;
  readonly #timeoutMs: number;
  readonly #maxMemory: number;
  #parser: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({
    maxLength = defaults.maxLength,
    maxSymbols = defaults.maxSymbols,
    timeoutMs = defaults.timeoutMs,
    maxMemory = defaults.maxMemory,
  }: OutlinerOptions = {}) {
    this.#maxLength = maxLength;
    this.#maxSymbols = maxSymbols;
    this.#timeoutMs = timeoutMs;
    this.#maxMemory = maxMemory;
  }

  /**
   * Returns the outline of a text. Bytes are decoded as UTF-8; invalid bytes become U+FFFD. Rejects with an
   * `OutlineError` if the text exceeds a limit, and with the reason of `signal` if that aborts.
   */
  async outlineOf(
    source: string | Uint8Array,
    language: LanguageName,
    signal?: AbortSignal,
  ): Promise<Outline> {
    signal?.throwIfAborted();
    if (source.length > 4 * this.#maxLength) throw this.#tooLarge(source.length, 'bytes');
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
    if (text.length > this.#maxLength) throw this.#tooLarge(text.length, 'characters');
    if (language === 'markdown' && deepBlocks.test(text))
      throw noOutline('its blocks are nested more than 200 deep');
    const outline = this.#last.then(() => {
      signal?.throwIfAborted();
      return this.#parse(
        { text, language, maxSymbols: this.#maxSymbols, timeoutMs: this.#timeoutMs },
        signal,
      );
    });
    this.#last = outline.catch(() => {});
    return outline;
  }

  /** Ends the process. A later call of `outlineOf` starts a new one. */
  async [Symbol.asyncDispose](): Promise<void> {
    const parser = this.#parser;
    if (!parser) return;
    const exit = new Promise((resolve) => parser.once('exit', resolve).ref());
    this.#end(parser);
    await exit;
  }

  #tooLarge(length: number, unit: string): OutlineError {
    return noOutline(`it has ${length} ${unit}; the maximum is ${this.#maxLength} characters`);
  }

  async #parse(request: ParseRequest, signal: AbortSignal | undefined): Promise<Outline> {
    clearTimeout(this.#idle);
    const parser = (this.#parser ??= this.#start());
    try {
      const response = await this.#respond(parser, request, signal);
      if ('failure' in response) throw noOutline(`its parse failed: ${response.failure}`);
      this.#keepOrEnd(parser, request.text.length);
      const { symbols, isCut, hasErrors } = response;
      return { symbols: nest(symbols), count: symbols.length, isCut, hasErrors };
    } catch (error) {
      this.#end(parser);
      throw error;
    }
  }

  #start(): ChildProcess {
    const parser = startParser(this.#maxMemory);
    return parser.once('exit', () => this.#forget(parser));
  }

  /** Ends the process after a large text, and when it is idle, because WebAssembly never returns memory. */
  #keepOrEnd(parser: ChildProcess, length: number): void {
    if (length > largeLength) return this.#end(parser);
    this.#idle = setTimeout(() => this.#end(parser), idleMs).unref();
  }

  #end(parser: ChildProcess): void {
    this.#forget(parser);
    parser.kill('SIGKILL');
  }

  #forget(parser: ChildProcess): void {
    if (this.#parser !== parser) return;
    clearTimeout(this.#idle);
    this.#parser = undefined;
  }

  #respond(
    parser: ChildProcess,
    request: ParseRequest,
    signal: AbortSignal | undefined,
  ): Promise<ParseResponse> {
    return new Promise<ParseResponse>((resolve, reject) => {
      const late = () => settle(() => reject(noOutline(`its parse took more than ${this.#timeoutMs} ms`)));
      const timer = setTimeout(late, this.#timeoutMs);
      const settle = (done: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        parser.off('message', answered).off('exit', exited).off('error', failed).unref();
        parser.channel?.unref();
        done();
      };
      const answered = (response: unknown) => settle(() => resolve(response as ParseResponse));
      const exited = () => settle(() => reject(noOutline('the parser crashed')));
      const failed = (error: Error) =>
        settle(() => reject(noOutline(`its parser cannot be started: ${error.message}`)));
      const abort = () => settle(() => reject(signal!.reason));
      signal?.addEventListener('abort', abort);
      parser.on('message', answered).on('exit', exited).on('error', failed).ref();
      parser.channel?.ref();
      // If the request cannot be sent, because the process has just ended, the `exit` event follows.
      if (parser.connected) parser.send(request, () => {});
    });
  }
}

function noOutline(reason: string): OutlineError {
  return new OutlineError(`The text has no outline: ${reason}`);
}

function startParser(maxMemory: number): ChildProcess {
  const extension = extname(import.meta.filename);
  const permissions = process.allowedNodeEnvironmentFlags.has('--permission')
    ? ['--permission', `--allow-fs-read=${import.meta.dirname}${sep}*`]
    : [];
  const parser = fork(join(import.meta.dirname, `parser/main${extension}`), [String(maxMemory)], {
    // If this code runs from its TypeScript sources, the process needs the condition under which other
    // packages are also imported from their sources.
    execArgv: [
      '--max-old-space-size=256',
      ...(extension === '.ts' ? ['--conditions=@mcp/source'] : permissions),
    ],
    // Windows cannot start a program without this variable.
    env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Without this listener, an error of the process between two texts would end this one.
  return parser.on('error', () => {});
}
