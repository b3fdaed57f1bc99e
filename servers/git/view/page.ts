import { byId, choiceIn, element, region } from '@mcp/views/dom';
import { countOf, escapedText, lineOf, listOf, objectOf } from '@mcp/views/model';
import { type Arguments, type Call, Comparison, type Subject } from './comparison.ts';
import { BlamePart } from './dom/blame.ts';
import { compareFacts, ComparePart } from './dom/compare.ts';
import { HistoryPart } from './dom/history.ts';
import { type BlamedLine, blamedLines } from './model/blame.ts';
import { type Commit, commitOf, hashOf, type Name, namesOf } from './model/commits.ts';
import type { ChangedFile } from './model/files.ts';
import { Sequence } from './sequence.ts';

export type Part = 'history' | 'changes' | 'diff' | 'blame';

const names: Readonly<Record<Part, string>> = {
  history: 'History',
  changes: 'Changes',
  diff: 'Diff',
  blame: 'Blame',
};
/** The sections of the page, by the parts that they show. */
const sections: Readonly<Record<Part, string>> = {
  history: 'history',
  changes: 'compare',
  diff: 'compare',
  blame: 'blame',
};

/** What the user sees: the history, the changes of the work tree, a diff, and blame. */
export class Page {
  readonly #call: Call;
  #part: Part | undefined;
  #problem = '';
  #said = '';
  #filter: Arguments = {};
  #names: ReadonlyMap<string, readonly Name[]> = new Map();
  #head = '';
  #blamed:
    | { readonly path: string; readonly revision: string | undefined; readonly args: Arguments }
    | undefined;
  readonly #commits: Sequence<Commit>;
  readonly #changes: Comparison;
  readonly #diff: Comparison;
  readonly #lines: Sequence<BlamedLine>;

  readonly #parts = choiceIn(byId('parts'), (value) => this.open(value as Part));
  readonly #history = new HistoryPart(({ hash }) => void this.#openCommit(hash));
  readonly #compare;
  readonly #blame = new BlamePart(({ hash }) => void this.#openCommit(hash));
  readonly #trouble = region(byId('trouble'), ([problem, said]: readonly string[]) => [
    problem !== undefined && element('p', {}, problem),
    said && element('pre', { tabindex: 0 }, said),
  ]);
  readonly #facts = region(byId('facts'), (parts: readonly string[]) =>
    parts.map((part) => element('span', {}, part)),
  );

  constructor(call: Call) {
    this.#call = call;
    const changed = () => this.show();
    this.#commits = new Sequence((next) => this.#readCommits(next), changed);
    this.#lines = new Sequence((next) => this.#readLines(next), changed);
    this.#changes = new Comparison(call, changed);
    this.#diff = new Comparison(call, changed);
    this.#compare = new ComparePart({
      blame: (file) => void this.#blameFile(file),
      openCommit: (commit) => void this.#openCommit(commit),
    });
    byId('all').addEventListener('change', ({ currentTarget }) => {
      const { checked } = currentTarget as HTMLInputElement;
      const { all: _, revision: __, ...filter } = this.#filter;
      this.history(checked ? { ...filter, all: true } : filter);
    });
  }

  /** Shows commits; `filter` has the arguments that select them. */
  history(filter: Arguments): void {
    this.#filter = filter;
    this.#part = 'history';
    void this.#commits.start();
    this.show();
  }

  /** Shows the changes of the work tree, first of a file in `group`. */
  changes(options: { paths?: unknown; group?: string } = {}): void {
    this.#part = 'changes';
    void this.#changes.open('status', options);
    this.show();
  }

  compare(subject: Exclude<Subject, string>, paths?: unknown): Promise<void> {
    this.#part = 'diff';
    const opened = this.#diff.open(subject, { paths });
    this.show();
    return opened;
  }

  blame(path: string, revision: string | undefined, args: Arguments = {}): Promise<void> {
    this.#blamed = { path, revision, args };
    this.#part = 'blame';
    this.#lines.rows = [];
    const read = this.#lines.start();
    this.show();
    return read;
  }

  /** Says what is wrong, with the text of the result that the page is shown with. */
  failed(problem: string, said = ''): void {
    this.#problem = escapedText(problem, 2_000);
    this.#said = escapedText(said, 20_000);
    this.show();
  }

  /** The text of the result, which is shown if nothing can be read. */
  set said(text: string) {
    this.#said = escapedText(text, 20_000);
    this.show();
  }

  open(part: Part): void {
    this.#problem = '';
    if (part === 'history' && this.#commits.generation === 0) return this.history({});
    if (part === 'changes') return this.changes();
    this.#part = part;
    this.show();
  }

  show(): void {
    const part = this.#part;
    const problem = this.#problem || this.#problemOf(part);
    document.querySelector('main')!.ariaBusy = String(part === undefined && problem === '');
    byId('loading').hidden = part !== undefined || problem !== '';
    for (const id of Object.values(sections))
      byId(id).hidden = !part || sections[part] !== id || this.#problem !== '';
    const has: Readonly<Record<Part, boolean>> = {
      history: true,
      changes: true,
      diff: this.#diff.subject !== undefined,
      blame: this.#blamed !== undefined,
    };
    this.#parts({
      name: 'part',
      legend: 'Part',
      options: part
        ? (Object.keys(names) as Part[])
            .filter((each) => has[each])
            .map((value) => ({ value, text: names[value] }))
        : [],
      chosen: part ?? '',
    });
    const isEmpty = part === undefined || this.#countOf(part) === 0;
    this.#trouble(problem === '' ? [] : [problem, isEmpty ? this.#said : '']);
    if (part === 'history') this.#showHistory();
    if (part === 'changes') this.#compare.show(this.#changes);
    if (part === 'diff') this.#compare.show(this.#diff);
    if (part === 'blame') this.#showBlame();
    this.#facts(part && problem === '' ? this.#factsOf(part) : []);
  }

  #problemOf(part: Part | undefined): string {
    if (part === undefined) return '';
    return {
      history: this.#commits,
      changes: this.#changes.files,
      diff: this.#diff.files,
      blame: this.#lines,
    }[part].problem;
  }

  #countOf(part: Part): number {
    return {
      history: this.#commits,
      changes: this.#changes.files,
      diff: this.#diff.files,
      blame: this.#lines,
    }[part].rows.length;
  }

  #factsOf(part: Part): string[] {
    if (part === 'changes') return compareFacts(this.#changes);
    if (part === 'diff') return compareFacts(this.#diff);
    const { rows, isWhole, isBusy, generation } = part === 'history' ? this.#commits : this.#lines;
    if (generation === 0) return ['reading …'];
    const count = countOf(rows.length, part === 'history' ? 'commit' : 'line');
    return [isWhole ? count : `more than ${count}`, ...(isBusy ? ['reading …'] : [])];
  }

  #showHistory(): void {
    const { all, ...others } = this.#filter;
    const shown = Object.entries(others).filter(([name]) => name !== 'repo_path');
    byId('filter').textContent = shown
      .map(([name, value]) => `${name}: ${lineOf(String(value), 80)}`)
      .join(', ');
    (byId('all') as HTMLInputElement).checked = all === true;
    byId('all-part').hidden = shown.some(([name]) => name === 'lines' || name === 'function');
    const isFiltered = shown.some(([name]) => name !== 'revision');
    this.#history.show({ commits: this.#commits, names: this.#names, head: this.#head, isFiltered });
  }

  #showBlame(): void {
    const { path, revision } = this.#blamed!;
    const at =
      revision === undefined
        ? 'in the work tree'
        : `at ${lineOf(revision, 60).replace(/^([\da-f]{10})[\da-f]{30,}/, '$1')}`;
    this.#blame.show({ path, title: `${lineOf(path, 400)} ${at}`, lines: this.#lines });
  }

  /** The element that the user has chosen by is gone: the keyboard goes on in what it has opened. */
  async #openCommit(commit: string): Promise<void> {
    await this.compare({ commit });
    byId('files').focus({ preventScroll: true });
  }

  async #blameFile({ path, group }: ChangedFile): Promise<void> {
    const { subject } = this.#part === 'diff' ? this.#diff : this.#changes;
    const isOfWorkTree = group !== undefined || typeof subject !== 'object';
    await this.blame(path, isOfWorkTree ? undefined : newSide(subject));
    byId('lines').focus({ preventScroll: true });
  }

  async #readCommits(next: unknown) {
    const args = { ...this.#filter, ...(next !== undefined && { cursor: next }) };
    const { content } = await this.#call('read_history', args);
    const { commits, refs, head, next_cursor } = objectOf(content);
    if (refs !== undefined) this.#names = namesOf(refs);
    if (refs !== undefined) this.#head = hashOf(head);
    return { rows: listOf(commits, 1_000).map(commitOf), next: next_cursor };
  }

  async #readLines(next: unknown) {
    const { path, revision, args } = this.#blamed!;
    const from = next === undefined ? {} : { start_line: next };
    const { content } = await this.#call('read_blame', {
      path,
      ...(revision !== undefined && { revision }),
      ...args,
      ...from,
    });
    return { rows: blamedLines(content), next: objectOf(content)['next_line'] };
  }
}

/** The revision whose files a comparison has on its new side; undefined for the work tree. */
function newSide(subject: Exclude<Subject, string>): string | undefined {
  if ('commit' in subject) return subject.commit;
  const to = /\.{2,3}(.*)$/.exec(subject.target)?.[1];
  return to === '' ? 'HEAD' : to;
}
