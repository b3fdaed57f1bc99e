import { createHash } from 'node:crypto';
import type { Outline, Outliner } from '@mcp/outline';
import type { Sandbox } from '@mcp/sandbox';
import type { Loader, OutlinePackage } from './installed-packages.ts';

/** The largest source file in bytes that has an outline. */
const maxBytes = 4 * 1024 * 1024;
/** The number of outlines that are kept. */
const maxKept = 500;

/**
 * Makes outlines of files with the package `@mcp/outline`. The latest outlines are cached by the content of
 * the file.
 */
export class Outlines {
  readonly #load: Loader<OutlinePackage>;
  readonly #kept = new Map<string, Outline>();
  #outliner: Outliner | undefined;

  constructor(load: Loader<OutlinePackage>) {
    this.#load = load;
  }

  /** The language of a file by its name; undefined if it has no outlines. */
  languageOf(sandbox: Sandbox, path: string) {
    return this.#load(sandbox.directories).languageOf(path);
  }

  /** Returns the outline of a file; undefined for a file in no language that has outlines. */
  async of(sandbox: Sandbox, path: string, signal: AbortSignal): Promise<Outline | undefined> {
    const language = this.languageOf(sandbox, path);
    if (!language) return undefined;
    const { text, truncated } = await sandbox.readText(path, { maxBytes });
    if (truncated) throw new Error(`No outline of files of more than ${maxBytes} bytes`);
    const key = `${language} ${createHash('sha256').update(text).digest('base64')}`;
    const outline = this.#kept.get(key) ?? (await this.#make(sandbox, text, language, signal));
    // The map has the outline that was used last at its end, so its first one was not used for longest.
    this.#kept.delete(key);
    this.#kept.set(key, outline);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    return outline;
  }

  /** The symbols around a line, from the outermost to the innermost. */
  around(sandbox: Sandbox, outline: Outline, line: number) {
    return this.#load(sandbox.directories).symbolsAt(outline, line);
  }

  #make(sandbox: Sandbox, text: string, language: ReturnType<Outlines['languageOf']>, signal: AbortSignal) {
    this.#outliner ??= new (this.#load(sandbox.directories).Outliner)();
    return this.#outliner.outlineOf(text, language!, signal);
  }
}
