import { byId, element, LongList, type LongListRow, shape } from '@mcp/views/dom';
import type { Commit, Name } from '../model/commits.ts';
import { Lanes, type LaneRow, pictureOf, rowHeight } from '../model/lanes.ts';
import type { Sequence } from '../sequence.ts';

export interface History {
  readonly commits: Sequence<Commit>;
  readonly names: ReadonlyMap<string, readonly Name[]>;
  readonly head: string;
  /** Whether commits are left out, so that lines between them would be wrong. */
  readonly isFiltered: boolean;
}

const moreRows = 60;

/** The graph of commits. */
export class HistoryPart {
  readonly #list: LongList;
  #history: History | undefined;
  #lanes = new Lanes();
  #rows: LaneRow[] = [];
  #generation = 0;

  constructor(choose: (commit: Commit) => void) {
    this.#list = new LongList(byId('commits'), {
      rowHeight,
      draw: (index) => this.#row(index),
      want: (_, to) => this.#history?.commits.want(to + moreRows),
      choose: (index) => {
        const commit = this.#history?.commits.rows[index];
        if (commit) choose(commit);
      },
    });
  }

  show(history: History): void {
    const { rows, generation, isWhole, problem } = history.commits;
    this.#history = history;
    const isOther = generation !== this.#generation;
    if (isOther) {
      this.#generation = generation;
      this.#lanes = new Lanes();
      this.#rows = [];
    }
    for (const commit of rows.slice(this.#rows.length)) this.#rows.push(this.#laneOf(commit, history));
    const isOpen = !isWhole && problem === '' && rows.length > 0;
    const valueOf = (index: number) => rows[index];
    this.#list.show(
      { count: rows.length + Number(isOpen), total: isOpen ? undefined : rows.length, valueOf },
      isOther,
    );
  }

  #laneOf(commit: Commit, { isFiltered }: History): LaneRow {
    return this.#lanes.next(isFiltered ? { hash: commit.hash, parents: [] } : commit);
  }

  #row(index: number): LongListRow {
    const { commits, names, head } = this.#history!;
    const commit = commits.rows[index];
    if (!commit) return { content: [element('span', { class: 'quiet' }, 'Reading more commits …')] };
    const { hash, subject, author, date } = commit;
    return {
      class: hash === head ? 'head' : '',
      content: [
        laneNode(this.#rows[index]!, hash === head),
        ...(names.get(hash) ?? []).slice(0, 4).map(nameNode),
        element('bdi', { class: 'subject' }, subject || 'no message'),
        element('bdi', { class: 'author quiet' }, author),
        element('time', { class: 'quiet', datetime: date }, date.slice(0, 10)),
        element('code', { class: 'hash quiet' }, hash.slice(0, 8)),
      ],
    };
  }
}

function nameNode({ kind, text, isCurrent }: Name): HTMLElement {
  const what = { branch: 'branch ', remote: 'remote branch ', tag: 'tag ' }[kind];
  const spoken = element('span', { class: 'spoken' }, isCurrent ? `current ${what}` : what);
  return element(
    'span',
    { class: `name ${kind}${isCurrent ? ' current' : ''}` },
    spoken,
    element('bdi', {}, text),
  );
}

function laneNode(row: LaneRow, isHead: boolean): SVGSVGElement {
  const { width, paths, x } = pictureOf(row);
  const dot = { cx: x, cy: rowHeight / 2, r: isHead ? 5 : 4, class: `dot lane-${row.lane % 6}` };
  return shape(
    'svg',
    { width, height: rowHeight, 'aria-hidden': 'true' },
    ...paths.map(({ lane, d }) => shape('path', { d, class: `lane-${lane % 6}` })),
    shape('circle', isHead ? { ...dot, 'data-head': true } : dot),
  );
}
