import { element, region, shape } from '@mcp/views/dom';
import { countText } from '../model/cell.ts';
import { box, type Diagram, diagramOf, maxRows, type Placed } from '../model/diagram.ts';
import type { Schema, SchemaColumn, SchemaTable } from '../model/schema.ts';

/** The tables and their foreign keys. A table opens its rows. */
export class DiagramPart {
  readonly #part: HTMLElement;
  readonly #draw;
  #schema: Schema | undefined;
  #marked = '';

  constructor(part: HTMLElement, open: (table: SchemaTable) => void) {
    this.#part = part;
    this.#draw = region(part, ({ diagram, marked }: { diagram: Diagram; marked: string }) => [
      diagram.boxes.length === 0
        ? element('p', { class: 'quiet' }, 'The database has no tables')
        : diagramNode(diagram, marked, open),
    ]);
    new ResizeObserver(() => this.#update()).observe(part);
  }

  /** Shows the schema; the table with the name `marked` stands out. */
  show(schema: Schema, marked: string): void {
    this.#schema = schema;
    this.#marked = marked.toLowerCase();
    this.#update();
  }

  #update(): void {
    if (!this.#schema || this.#part.clientWidth === 0) return;
    const diagram = diagramOf(this.#schema.tables, this.#part.clientWidth);
    this.#draw({ diagram, marked: this.#marked });
  }
}

function diagramNode(diagram: Diagram, marked: string, open: (table: SchemaTable) => void): HTMLElement {
  const { width, height, boxes, edges } = diagram;
  const isMarked = ({ from, to }: { from: string; to: string }) =>
    marked !== '' && [from, to].some((name) => name.toLowerCase() === marked);
  const lines = edges.map((edge) =>
    shape(
      'path',
      isMarked(edge)
        ? { class: 'edge marked', d: edge.path, 'marker-end': 'url(#arrow-marked)' }
        : { class: 'edge', d: edge.path, 'marker-end': 'url(#arrow)' },
    ),
  );
  const canvas = element(
    'div',
    { class: 'canvas' },
    shape(
      'svg',
      { width: width + 44, height: height + 4, 'aria-hidden': 'true' },
      arrow('arrow'),
      arrow('arrow-marked'),
      ...lines,
    ),
    ...boxes.map((placed) => boxNode(placed, placed.table.name.toLowerCase() === marked, open)),
  );
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  return element(
    'div',
    { class: 'diagram', tabindex: 0, role: 'group', 'aria-label': 'Diagram of the tables' },
    canvas,
  );
}

function arrow(id: string): SVGElement {
  const marker = { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7 };
  return shape('marker', { ...marker, orient: 'auto' }, shape('path', { d: 'M1 1L7 4L1 7' }));
}

function boxNode(
  { table, x, y, height }: Placed,
  isMarked: boolean,
  open: (table: SchemaTable) => void,
): HTMLElement {
  const { name, kind, rows, hasMoreRows, columns, moreColumns, fullName } = table;
  const title = element(
    'button',
    { type: 'button', disabled: fullName === undefined, title: `Show the rows of ${name}` },
    element('bdi', {}, name),
  );
  title.addEventListener('click', () => open(table));
  const counted = rows === undefined ? '' : `${countText(rows)}${hasMoreRows ? '+' : ''}`;
  const rest = moreColumns + Math.max(0, columns.length - maxRows);
  const node = element(
    'section',
    { class: isMarked ? 'table marked' : 'table', 'data-kind': kind },
    element('h2', {}, title, element('small', {}, kind === 'table' ? counted : `${kind} ${counted}`)),
    element(
      'ul',
      {},
      ...columns.slice(0, maxRows).map(columnNode),
      rest > 0 && element('li', { class: 'quiet' }, `${countText(rest)} more columns`),
    ),
  );
  Object.assign(node.style, {
    left: `${x}px`,
    top: `${y}px`,
    width: `${box.width}px`,
    height: `${height}px`,
  });
  return node;
}

function columnNode({ name, type, isKey, notNull, references }: SchemaColumn): HTMLElement {
  const kind = references === '' ? type : `→ ${references}`;
  return element(
    'li',
    { class: isKey ? 'key' : '' },
    element('bdi', {}, name),
    element('small', { class: references === '' ? '' : 'reference' }, kind),
    isKey && element('span', { class: 'spoken' }, ', primary key'),
    notNull && !isKey && element('span', { class: 'spoken' }, ', not NULL'),
  );
}
