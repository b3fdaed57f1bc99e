import { approvalNode, type Child, element, region, tableNode } from '@mcp/views/dom';
import { escapedText } from '@mcp/views/model';
import { effectText } from '../../src/text/effect-text.ts';
import { countText } from '../model/cell.ts';
import type { StatementEffect, WriteFacts } from '../model/write.ts';
import { cellContent } from './cell.ts';

/** A call of `write`. */
export interface Write {
  readonly title: string;
  readonly statements: readonly string[];
  /** What it did; undefined while it runs, and where it failed. */
  readonly facts: WriteFacts | undefined;
  /** Why it has not written, or what the server says if it gives no facts. */
  readonly text: string;
  readonly isRefused: boolean;
  /** What the user is asked to confirm here: `undo`, or to `run` the statements of a dry run. */
  readonly asks: 'undo' | 'run' | undefined;
  /** Whether the user has chosen that before. */
  readonly isDone: boolean;
}

interface WriteEvents {
  /** The user wants to undo a write, or to run a dry run. Nothing runs before `confirm`. */
  readonly ask: (index: number, what: Write['asks']) => void;
  readonly confirm: (index: number) => void;
}

const maxSqlLength = 4_000;
const maxShown = 30;

/** The writes of this view, the first one on top: statements, confirmation, effects, and what undoes them. */
export function writesIn(part: HTMLElement, events: WriteEvents): (writes: readonly Write[]) => void {
  return region(part, (writes: readonly Write[]) =>
    writes.map((write, index) => writeNode(write, index, events)),
  );
}

function writeNode(write: Write, index: number, events: WriteEvents): HTMLElement {
  const { title, statements, facts, text, isRefused, isDone } = write;
  const state = isRefused
    ? 'refused'
    : !facts && text === ''
      ? 'waiting'
      : facts?.isDryRun
        ? 'trial'
        : 'done';
  const words = {
    refused: 'Not done',
    waiting: 'Running …',
    trial: 'Dry run: nothing was changed',
    done: 'Done',
  };
  return element(
    'article',
    { class: 'write', 'data-state': state },
    element('h2', {}, title, element('span', { class: 'state' }, words[state])),
    facts && facts.confirmed !== '' && confirmationNode(facts.confirmed),
    element(
      'ol',
      { class: 'statements' },
      ...statements.slice(0, maxShown).map((sql, place) => statementNode(sql, facts?.effects[place], facts)),
      statements.length > maxShown &&
        element('li', { class: 'quiet' }, `${countText(statements.length - maxShown)} more statements`),
    ),
    text !== '' && !facts && element('p', { class: isRefused ? 'problem' : 'said' }, text),
    facts && !facts.isDryRun && undoNode(facts),
    facts && !isDone && choiceNode(write, index, events),
  );
}

function confirmationNode(question: string): HTMLElement {
  return element('blockquote', {}, element('small', {}, 'Confirmed before'), element('p', {}, question));
}

function statementNode(
  sql: string,
  effect: StatementEffect | undefined,
  facts: WriteFacts | undefined,
): HTMLElement {
  return element(
    'li',
    {},
    element('pre', { tabindex: 0 }, escapedText(sql, maxSqlLength)),
    ...(effect && facts ? effectNodes(effect, facts.isDryRun) : []),
  );
}

function effectNodes(effect: StatementEffect, isDryRun: boolean): Child[] {
  const { rowid, columns, rows, returned } = effect;
  const said = effectText(effect, isDryRun);
  return [
    element('p', { class: 'effect' }, rowid && !isDryRun ? `${said}, last rowid ${rowid.text}` : said),
    columns.length > 0 && rows.length > 0 && returnedNode(effect),
    returned > rows.length &&
      element('p', { class: 'quiet' }, `${countText(rows.length)} of ${countText(returned)} returned rows`),
  ];
}

function returnedNode({ columns, rows }: StatementEffect): HTMLElement {
  const cells = rows.map((row) =>
    row.map((cell) => element('span', { 'data-kind': cell.kind }, ...cellContent(cell))),
  );
  return tableNode({ label: 'Returned rows', columns: columns.map(({ name }) => name), rows: cells });
}

function undoNode({ undo, isFinal, isWhole }: WriteFacts): HTMLElement {
  if (undo.length === 0)
    return element(
      'p',
      { class: 'quiet' },
      isFinal ? 'No undo is known: only a backup has the old rows' : 'Nothing to undo',
    );
  return element(
    'div',
    { class: 'undo' },
    element('h3', {}, undo.length === 1 ? 'This undoes it' : 'These undo it, in one write'),
    element('pre', { tabindex: 0 }, escapedText(undo.map((sql) => `${sql};`).join('\n'), maxSqlLength)),
    !isWhole && element('p', { class: 'quiet' }, 'The answer was too long: these may not be all'),
  );
}

/** The buttons below a write: what it asks for, then its confirmation. */
function choiceNode({ facts, asks }: Write, index: number, { ask, confirm }: WriteEvents): Child {
  const { isDryRun, undo, isWhole } = facts!;
  const what = isDryRun ? 'run' : 'undo';
  if (!isWhole || (!isDryRun && undo.length === 0)) return false;
  if (asks === undefined) {
    const button = element('button', { type: 'button', class: 'plain' }, isDryRun ? 'Run it …' : 'Undo …');
    button.addEventListener('click', () => ask(index, what));
    return element('p', {}, button);
  }
  return approvalNode(
    {
      question: isDryRun ? 'Change the database now?' : 'Run these statements now?',
      confirm: isDryRun ? 'Change it' : 'Undo it',
    },
    (isConfirmed) => (isConfirmed ? confirm(index) : ask(index, undefined)),
  );
}
