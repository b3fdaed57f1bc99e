import { byId, type Child, choiceIn, element, region } from '@mcp/views/dom';
import { countOf } from '@mcp/views/model';
import type { Comparison } from '../comparison.ts';
import type { Commit } from '../model/commits.ts';
import { type ChangedFile, filesFacts, type Status, statusFacts } from '../model/files.ts';
import { countNodes, FilesPart } from './files.ts';
import { PatchPart } from './patch.ts';

interface CompareEvents {
  readonly blame: (file: ChangedFile) => void;
  readonly openCommit: (hash: string) => void;
}

interface Actions {
  readonly canBlame: boolean;
  /** `Stage` or `Unstage`; undefined where nothing can be staged. */
  readonly verb: string | undefined;
  readonly lines: number;
}

/** Changed files, and the diff of one of them. */
export class ComparePart {
  #comparison: Comparison | undefined;
  #shown: readonly unknown[] = [];
  readonly #files = new FilesPart((file) => this.#comparison!.choose(file));
  readonly #patch = new PatchPart({
    toggle: (lines) => this.#comparison!.toggle(lines),
    moveHunk: (header) => void this.#comparison!.move({ header }),
  });
  readonly #layout = choiceIn(byId('layout'), (value) => this.#comparison!.arrange(value === 'pairs'));
  readonly #about;
  readonly #actions;
  readonly #path = region(byId('path'), (file: ChangedFile | undefined) =>
    file ? [element('bdi', {}, file.text), ...countNodes(file)] : [],
  );

  constructor({ blame, openCommit }: CompareEvents) {
    this.#about = region(byId('about'), ({ commit, status }: { commit?: Commit; status?: Status }) =>
      commit ? commitNodes(commit, openCommit) : status ? statusNodes(status) : [],
    );
    this.#actions = region(byId('actions'), ({ canBlame, verb, lines }: Actions) => {
      const button = (text: string, kind: string, run: () => void) => {
        const node = element('button', { type: 'button', class: kind }, text);
        node.addEventListener('click', run);
        return node;
      };
      const comparison = () => this.#comparison!;
      return [
        canBlame && button('Blame', 'plain', () => blame(comparison().chosen!)),
        verb !== undefined && button(`${verb} file`, 'plain', () => void comparison().move('file')),
        lines > 0 &&
          button(`${verb} ${countOf(lines, 'line')}`, 'strong', () => void comparison().move('lines')),
      ];
    });
  }

  show(comparison: Comparison): void {
    const { files, patch, chosen, selected, canChange, isSelectable, pairs, said } = comparison;
    const shown = [comparison, comparison.subject, files.generation];
    const isOther = shown.some((each, at) => each !== this.#shown[at]);
    this.#comparison = comparison;
    this.#shown = shown;
    const { commit, status } = comparison;
    this.#about({ ...(commit && { commit }), ...(status && { status: { ...status, files: [] } }) });
    this.#files.show(files, chosen, isOther);
    this.#path(chosen);
    const verb = canChange ? (chosen?.group === 'staged' ? 'Unstage' : 'Stage') : undefined;
    const canBlame = chosen !== undefined && chosen.group !== 'untracked' && chosen.letter !== 'D';
    this.#actions({ canBlame, verb, lines: selected.size });
    this.#layout({
      name: 'layout',
      legend: 'Layout of the diff',
      options: patch.source
        ? [
            { value: 'unified', text: 'Unified' },
            { value: 'pairs', text: 'Side by side' },
          ]
        : [],
      chosen: pairs ? 'pairs' : 'unified',
    });
    byId('said').textContent = said || patch.problem || patch.note || this.#noteOf(comparison);
    byId('said').className =
      comparison.isRefused || (said === '' && patch.problem !== '') ? 'problem' : 'quiet';
    this.#patch.show({
      reader: patch,
      path: chosen?.path ?? '',
      selected,
      verb: isSelectable ? verb : undefined,
    });
  }

  #noteOf({ chosen, patch }: Comparison): string {
    if (chosen?.group === 'untracked') return 'The file is not tracked: it has a diff once it is staged';
    return chosen && !patch.isBusy && patch.count === 0 ? 'No lines differ' : '';
  }
}

/** What is always said of the files and of the diff. */
export function compareFacts({ files, status, patch, chosen }: Comparison): string[] {
  const all = status
    ? statusFacts(status)
    : files.generation > 0
      ? filesFacts(files.rows, !files.isWhole)
      : [];
  const rows = chosen && patch.source && !patch.isBusy ? patch.total : undefined;
  return [
    ...all,
    ...(rows === undefined ? [] : [`diff of ${countOf(rows, 'row')}`]),
    ...(files.isBusy || patch.isBusy ? ['reading …'] : []),
  ];
}

function commitNodes(
  { hash, subject, body, author, date, parents }: Commit,
  open: (hash: string) => void,
): Child[] {
  const links = parents.slice(0, 4).map((parent) => {
    const link = element(
      'button',
      { type: 'button', class: 'link' },
      element('code', {}, parent.slice(0, 8)),
    );
    link.addEventListener('click', () => open(parent));
    return link;
  });
  return [
    element('h2', {}, element('bdi', {}, subject || 'no message')),
    element(
      'p',
      { class: 'quiet' },
      element('bdi', {}, author),
      ` on ${date.slice(0, 16).replace('T', ' ')}, `,
      element('code', {}, hash.slice(0, 10)),
      parents.length > 0 && (parents.length === 1 ? ', parent ' : ', parents '),
      ...links,
    ),
    body !== '' && element('pre', { tabindex: 0, 'aria-label': 'Message' }, body),
  ];
}

function statusNodes({ branch, notes }: Status): Child[] {
  return [
    element(
      'p',
      {},
      element('b', {}, element('bdi', {}, branch)),
      ...notes.map((note) => element('span', { class: 'quiet' }, note)),
    ),
  ];
}
