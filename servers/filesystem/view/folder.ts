import { messageOf } from '@mcp/views/model';
import type { Call } from './line-reader.ts';
import { type Entry, type Sizes, sizesOf } from './model/entries.ts';

const pageEntries = 200;

/** A row of the tree: an entry, which is undefined until it was read. */
export interface TreeRow {
  readonly parent: Folder;
  readonly index: number;
  readonly entry: Entry | undefined;
  /** What was read of a directory. */
  readonly folder: Folder | undefined;
}

/** A directory: its entries in pages, the largest first, and which of its directories are open. */
export class Folder {
  readonly #call: Call;
  readonly #changed: () => void;
  readonly #entries = new Map<number, Entry>();
  readonly #folders = new Map<Entry, Folder>();
  readonly #reading = new Set<number>();
  #open: readonly (readonly [index: number, folder: Folder])[] = [];
  readonly parent: Folder | undefined;
  readonly path: string;
  readonly level: number;
  /** What is known of the directory; undefined before the first answer. */
  sizes: Sizes | undefined;
  problem = '';

  constructor(call: Call, changed: () => void, path: string, parent?: Folder) {
    this.#call = call;
    this.#changed = changed;
    this.path = path;
    this.parent = parent;
    this.level = parent ? parent.level + 1 : 1;
  }

  /** The number of its rows, with those of its open directories. */
  get rows(): number {
    return this.#open.reduce((sum, [, folder]) => sum + folder.rows, this.sizes?.total ?? 0);
  }

  get isBusy(): boolean {
    return this.#reading.size > 0 || this.#open.some(([, folder]) => folder.isBusy);
  }

  /** The largest entries that were read, with what was read of directories. */
  largest(count: number): TreeRow[] {
    const size = Math.min(count, this.#entries.size);
    return Array.from({ length: size }, (_, index) => this.#row(index)).filter(({ entry }) => entry);
  }

  row(at: number): TreeRow {
    let index = at;
    for (const [own, folder] of this.#open) {
      if (index <= own) break;
      if (index - own - 1 < folder.rows) return folder.row(index - own - 1);
      index -= folder.rows;
    }
    return this.#row(index);
  }

  #row(index: number): TreeRow {
    const entry = this.#entries.get(index);
    return { parent: this, index, entry, folder: entry && this.#folders.get(entry) };
  }

  isOpen(index: number): boolean {
    return this.#open.some(([own]) => own === index);
  }

  /** Reads the page with an entry, unless it was read. */
  async read(index = 0): Promise<void> {
    const page = Math.floor(index / pageEntries) * pageEntries;
    if (this.#entries.has(index) || this.#reading.has(page) || this.problem !== '') return;
    if (this.sizes && index >= this.sizes.total) return;
    this.#reading.add(page);
    try {
      const sizes = sizesOf(
        await this.#call('read_sizes', { path: this.path, skip: page, limit: pageEntries }),
      );
      for (const [at, entry] of sizes.entries.entries()) this.#entries.set(page + at, entry);
      this.sizes ??= sizes;
    } catch (error) {
      this.problem = messageOf(error);
    }
    this.#reading.delete(page);
    this.#changed();
  }

  /** The directory with an index, which is read. */
  folder(index: number): Folder | undefined {
    const { entry, folder } = this.#row(index);
    if (folder || entry?.kind !== 'directory') return folder;
    const made = new Folder(this.#call, this.#changed, `${this.sizes!.prefix}${entry.name}`, this);
    this.#folders.set(entry, made);
    void made.read();
    return made;
  }

  /** Opens the directory with an index in the tree, or closes it. */
  toggle(index: number): void {
    const folder = this.folder(index);
    if (!folder) return;
    this.#open = this.isOpen(index)
      ? this.#open.filter(([own]) => own !== index)
      : [...this.#open, [index, folder] as const].toSorted(([a], [b]) => a - b);
    this.#changed();
  }
}
