import { messageOf, objectOf } from '@mcp/views/model';
import { type Commit, commitOf } from './model/commits.ts';
import {
  type ChangedFile,
  type Compared,
  comparedIn,
  filesOf,
  type Status,
  statusOf,
} from './model/files.ts';
import { changesOf, type PatchRow, rangesOf } from './model/patch.ts';
import { PatchReader } from './patch-reader.ts';
import { Sequence } from './sequence.ts';

export type Arguments = { readonly [name: string]: unknown };

/** Calls a tool of the server. Rejects with an `Error` for the user. */
export type Call = (
  name: string,
  args: Arguments,
) => Promise<{ readonly content: unknown; readonly text: string }>;

/** What is compared: the work tree with HEAD, through what is staged, or as tools take it. */
export type Subject = 'status' | Exclude<Compared, string>;

/** Changed files, and the diff of the one that the user has chosen. */
export class Comparison {
  readonly #call: Call;
  readonly #changed: () => void;
  #paths: unknown;
  subject: Subject | undefined;
  readonly files: Sequence<ChangedFile>;
  readonly patch: PatchReader;
  status: Status | undefined;
  commit: Commit | undefined;
  chosen: ChangedFile | undefined;
  /** The lines of the diff that the user has selected, such as `+8`. */
  selected: ReadonlySet<string> = new Set();
  pairs = false;
  /** What the last change has answered. */
  said = '';
  isRefused = false;

  constructor(call: Call, changed: () => void) {
    this.#call = call;
    this.#changed = changed;
    this.files = new Sequence((next) => this.#readFiles(next), changed);
    this.patch = new PatchReader(async (args) => (await call('read_patch', args)).content, changed);
  }

  /** Shows the files, and the diff of the first one; of the status, that of the first one in `group`. */
  async open(subject: Subject, { paths, group }: { paths?: unknown; group?: string } = {}): Promise<void> {
    this.subject = subject;
    this.#paths = paths;
    this.said = '';
    this.commit = this.status = undefined;
    this.files.rows = [];
    this.choose(undefined);
    await this.files.start();
    this.choose(this.files.rows.find((file) => file.group === group) ?? this.files.rows[0]);
  }

  choose(file: ChangedFile | undefined): void {
    this.chosen = file;
    this.selected = new Set();
    if (!file || file.group === 'untracked') this.patch.close();
    else {
      const paths = file.from === undefined ? [file.path] : [file.path, file.from];
      const of = file.group ? comparedIn(file.group) : (this.subject as Compared);
      void this.patch.open({ of, paths, pairs: this.pairs });
    }
    this.#changed();
  }

  /** Whether removed lines stand beside added ones. */
  arrange(pairs: boolean): void {
    this.pairs = pairs;
    const { source } = this.patch;
    if (source) void this.patch.open({ ...source, pairs });
    this.#changed();
  }

  /** Whether lines of the diff can be staged or unstaged. */
  get isSelectable(): boolean {
    const group = this.chosen?.group;
    return this.canChange && (group === 'staged' || group === 'unstaged') && this.patch.index !== '';
  }

  get canChange(): boolean {
    return this.status?.isWritable === true && this.chosen?.group !== undefined;
  }

  /** Selects lines, or no longer. */
  toggle(lines: readonly string[]): void {
    const selected = new Set(this.selected);
    const isNew = lines.some((line) => !selected.has(line));
    for (const line of lines)
      if (isNew) selected.add(line);
      else selected.delete(line);
    this.selected = selected;
    this.#changed();
  }

  toggleRow(row: PatchRow | undefined): void {
    if (row && this.isSelectable) this.toggle(changesOf(row));
  }

  /** Stages or unstages the selected lines, a hunk, or the whole file. */
  async move(what: 'lines' | 'file' | { readonly header: string }): Promise<void> {
    const { path, from, group } = this.chosen!;
    const lines = typeof what === 'object' ? [what.header] : rangesOf(this.selected);
    const part = what === 'file' ? {} : { lines, index: this.patch.index };
    const paths = from === undefined ? [path] : [path, from];
    this.said = '';
    try {
      this.said =
        group !== 'staged'
          ? await this.#change('git_add', { files: [path], ...part })
          : what === 'file'
            ? await this.#change('git_restore', { paths, staged: true })
            : await this.#change('unstage_lines', { path, ...part });
      this.isRefused = false;
    } catch (error) {
      this.said = messageOf(error);
      this.isRefused = true;
    }
    await this.files.start();
    const same = this.files.rows.filter((file) => file.path === path);
    this.choose(same.find((file) => file.group === group) ?? same[0] ?? this.files.rows[0]);
  }

  async #change(name: string, args: Arguments): Promise<string> {
    const { content, text } = await this.#call(name, args);
    const { said } = objectOf(content);
    return messageOf(typeof said === 'string' ? said : text);
  }

  async #readFiles(next: unknown): Promise<{ rows: readonly ChangedFile[]; next: unknown }> {
    const paths = this.#paths === undefined ? {} : { paths: this.#paths };
    if (this.subject === 'status') {
      this.status = statusOf((await this.#call('read_status', paths)).content);
      return { rows: this.status.files, next: undefined };
    }
    const args = { of: this.subject, ...paths, ...(next !== undefined && { cursor: next }) };
    const { content } = await this.#call('read_files', args);
    const { commit, next_cursor } = objectOf(content);
    if (commit !== undefined) this.commit = commitOf(commit);
    return { rows: filesOf(content), next: next_cursor };
  }
}
