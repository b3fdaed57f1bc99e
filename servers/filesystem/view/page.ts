import { byId, choiceIn, element, region } from '@mcp/views/dom';
import { escapedText, lineOf } from '@mcp/views/model';
import { EditPart } from './dom/edit.ts';
import { fileFacts, FilePart, type ShownFile } from './dom/file.ts';
import { type MapContent, MapPart, maxNodes } from './dom/map.ts';
import { type ShownEntry, treeFacts, TreePart } from './dom/tree.ts';
import { type Edit, Editor } from './editor.ts';
import { Folder } from './folder.ts';
import { type Call, LineReader } from './line-reader.ts';

export type Part = 'tree' | 'file' | 'edit';

const names: Readonly<Record<Part, string>> = { tree: 'Sizes', file: 'File', edit: 'Edit' };

interface PageOptions {
  readonly call: Call;
  readonly edit: Edit;
  /** The user has accepted or rejected an edit. */
  readonly decided: (what: string) => void;
}

/** What the user sees: a directory with sizes, a file, or an edit. */
export class Page {
  readonly #call: Call;
  #part: Part | undefined;
  #problem = '';
  #said = '';
  #root: Folder | undefined;
  #isOtherRoot = false;
  /** The directory that the picture shows. */
  #focus: Folder | undefined;
  readonly #reader: LineReader;
  readonly editor: Editor;

  readonly #parts = choiceIn(byId('parts'), (value) => this.#open(value as Part));
  readonly #tree = new TreePart(
    (index) => this.#choose(index),
    (index, isIn) => this.#move(index, isIn),
  );
  readonly #map = new MapPart({
    choose: (indexes) => this.#chooseInMap(indexes),
    want: (index) => void this.#focus?.folder(index),
  });
  readonly #trail = region(byId('trail'), (folders: readonly string[]) =>
    folders.map((name, at) => this.#step(name, folders.length - 1 - at)),
  );
  readonly #file = new FilePart();
  readonly #edit;
  readonly #trouble = region(byId('trouble'), ([problem, said]: readonly string[]) => [
    problem !== undefined && element('p', {}, problem),
    said && element('pre', { tabindex: 0 }, said),
  ]);
  readonly #facts = region(byId('facts'), (parts: readonly string[]) =>
    parts.map((part) => element('span', {}, part)),
  );

  constructor({ call, edit, decided }: PageOptions) {
    const changed = () => this.show();
    this.#call = call;
    this.#reader = new LineReader(call, changed);
    const editor = new Editor(edit, changed, decided);
    this.editor = editor;
    this.#edit = new EditPart({
      accept: () => void editor.accept(),
      reject: () => editor.reject(),
      again: () => void editor.again(),
    });
  }

  openDirectory(path: string): void {
    this.#root = this.#focus = new Folder(this.#call, () => this.show(), path);
    this.#isOtherRoot = true;
    void this.#root.read();
    this.#open('tree');
  }

  /** Shows a file, first the line with an index. */
  openFile(path: string, first = 0): Promise<void> {
    this.#file.begin(first);
    const read = this.#reader.open(path, Math.max(0, first - 20));
    this.#open('file');
    return read;
  }

  /** Reads the file that is shown again, if it has changed. */
  async refresh(): Promise<void> {
    if (this.#part === 'file' && this.#problem === '') await this.#reader.refresh(this.#file.top);
  }

  openEdit(args: { readonly [name: string]: unknown }, text: string): void {
    void this.editor.open(args, text);
    this.#open('edit');
  }

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

  #open(part: Part): void {
    this.#problem = '';
    this.#part = part;
    this.show();
  }

  show(): void {
    const part = this.#part;
    const { problem, isEmpty, facts } = this.#stateOf(part);
    const trouble = this.#problem || problem;
    document.querySelector('main')!.ariaBusy = String(part === undefined && trouble === '');
    byId('loading').hidden = part !== undefined || trouble !== '';
    const has: Readonly<Record<Part, boolean>> = {
      tree: this.#root !== undefined,
      file: this.#reader.isOpen,
      edit: this.editor.edit !== undefined,
    };
    const all = Object.keys(names) as Part[];
    for (const each of all) byId(each).hidden = each !== part || this.#problem !== '';
    const options = all.filter((each) => has[each]).map((value) => ({ value, text: names[value] }));
    this.#parts({ name: 'part', legend: 'Part', options, chosen: part ?? '' });
    this.#trouble(trouble === '' ? [] : [trouble, isEmpty ? this.#said : '']);
    if (part === 'tree') this.#showTree();
    if (part === 'file') this.#file.show(this.#shownFile());
    const { edit, state, said, generation } = this.editor;
    if (part === 'edit' && edit) this.#edit.show({ edit, state, said, generation });
    this.#facts(trouble === '' ? facts : []);
  }

  #stateOf(part: Part | undefined) {
    if (part === 'tree') {
      const { sizes, problem, isBusy } = this.#root!;
      const facts = sizes
        ? [sizes.path, ...treeFacts(sizes), ...(isBusy ? ['reading …'] : [])]
        : ['reading …'];
      return { problem, isEmpty: !sizes, facts };
    }
    if (part === 'file') {
      const { problem, file } = this.#reader;
      return { problem, isEmpty: !file, facts: fileFacts(this.#shownFile()) };
    }
    const { added = 0, removed = 0 } = this.editor.edit ?? {};
    const facts = part === 'edit' ? [`+${added} −${removed} lines`] : [];
    return { problem: '', isEmpty: true, facts };
  }

  #shownFile(): ShownFile {
    const { file, count, total, generation, changes, longest } = this.#reader;
    const line = (index: number) => this.#reader.line(index);
    const want = (from: number, to: number) => this.#reader.want(from, to);
    return { file, count, total, generation, changes, longest, line, want };
  }

  #showTree(): void {
    const root = this.#root!;
    const row = (index: number): ShownEntry => {
      const { parent, index: own, entry, folder } = root.row(index);
      const isOpen = entry?.kind === 'directory' ? parent.isOpen(own) : undefined;
      const whole = parent.sizes?.bytes ?? 0;
      const isChosen = folder !== undefined && folder === this.#focus;
      return { entry, level: parent.level, isOpen, isChosen, whole, problem: folder?.problem ?? '' };
    };
    const want = (from: number, to: number) => {
      for (let index = from; index < to; index++) {
        const { parent, index: own, entry } = root.row(index);
        if (!entry) void parent.read(own);
      }
    };
    this.#tree.show({ count: root.rows, row, want }, this.#isOtherRoot);
    this.#isOtherRoot = false;
    const trail: Folder[] = [];
    for (let each = this.#focus; each; each = each.parent) trail.unshift(each);
    this.#trail(trail.length < 2 ? [] : trail.map((each) => nameOf(each)));
    const focus = this.#focus!;
    this.#map.show(focus.sizes?.path ?? lineOf(focus.path), contentOf(focus, 0));
  }

  #step(name: string, up: number): HTMLElement {
    const button = element(
      'button',
      { type: 'button', class: 'plain', disabled: up === 0 },
      element('bdi', {}, name),
    );
    button.addEventListener('click', () => {
      for (let at = 0; at < up; at++) this.#focus = this.#focus?.parent ?? this.#focus;
      this.show();
    });
    return button;
  }

  /** Opens a file, or opens and closes a directory, which the picture shows while it is open. */
  #choose(index: number): void {
    const { parent, index: own, entry } = this.#root!.row(index);
    if (entry?.kind === 'file') return void this.#openChosen(`${parent.sizes!.prefix}${entry.name}`);
    const folder = parent.folder(own);
    if (!folder) return;
    this.#focus = parent.isOpen(own) ? parent : folder;
    parent.toggle(own);
  }

  /** Goes into a directory, or out of it, as in other trees. */
  #move(index: number, isIn: boolean): void {
    const { parent, index: own, entry } = this.#root!.row(index);
    const isOpen = parent.isOpen(own);
    if (entry?.kind === 'directory' && isIn !== isOpen) this.#choose(index);
    else if (isIn && isOpen) this.#tree.go(index + 1);
    else if (!isIn && parent !== this.#root) this.#tree.go(this.#rowAbove(index, parent));
  }

  /** The row of the directory that a row is in. */
  #rowAbove(index: number, parent: Folder): number {
    for (let at = index - 1; at > 0; at--) if (this.#root!.row(at).folder === parent) return at;
    return 0;
  }

  #chooseInMap(indexes: readonly number[]): void {
    let folder = this.#focus!;
    for (const index of indexes.slice(0, -1)) folder = folder.folder(index) ?? folder;
    const index = indexes.at(-1)!;
    const { entry } = folder.largest(maxNodes[0])[index] ?? {};
    if (entry?.kind === 'file') void this.#openChosen(`${folder.sizes!.prefix}${entry.name}`);
    const chosen = folder.folder(index);
    if (chosen) this.#focus = chosen;
    this.show();
  }

  async #openChosen(path: string): Promise<void> {
    await this.openFile(path);
    this.#file.focus();
  }
}

function nameOf(folder: Folder): string {
  const path = folder.sizes?.path ?? folder.path;
  return lineOf(path.split('/').findLast((each) => each !== '') ?? path, 60);
}

function contentOf(folder: Folder, depth: 0 | 1): MapContent | undefined {
  if (!folder.sizes) return undefined;
  const nodes = folder.largest(maxNodes[depth]).map(({ entry, folder: inside }) => ({
    entry: entry!,
    content: inside && depth === 0 ? contentOf(inside, 1) : undefined,
  }));
  return { nodes, bytes: folder.sizes.bytes, total: folder.sizes.total };
}
