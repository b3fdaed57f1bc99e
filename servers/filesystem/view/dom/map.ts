import { byId, element } from '@mcp/views/dom';
import { colourOf, type Entry, sizeText } from '../model/entries.ts';
import { type Box, treemapOf } from '../model/treemap.ts';

/** A directory as the picture shows it: its largest entries, and the bytes of all. */
export interface MapNode {
  readonly entry: Entry;
  /** What is in a directory; undefined until it was read. */
  readonly content: MapContent | undefined;
}

export interface MapContent {
  readonly nodes: readonly MapNode[];
  readonly bytes: number;
  readonly total: number;
}

interface MapEvents {
  /** The user has chosen an entry, by the indexes that lead to it. */
  readonly choose: (indexes: readonly number[]) => void;
  /** The content of a directory has room in the picture. */
  readonly want: (index: number) => void;
}

/** The most entries of the directory, and of each directory in it. */
export const maxNodes = [60, 24] as const;
/** Smaller boxes have no name, and no content. In CSS pixels. */
const [nameWidth, nameHeight, contentWidth, contentHeight] = [38, 17, 84, 54];

/** A treemap of a directory, two levels deep: the tree below it has the same for screen readers and keys. */
export class MapPart {
  readonly #part = byId('map');
  readonly #events: MapEvents;
  #content: MapContent | undefined;
  #path = '';
  #drawn = '';

  constructor(events: MapEvents) {
    this.#events = events;
    this.#part.addEventListener('click', ({ target }) => {
      const at = (target as Element).closest<HTMLElement>('[data-at]')?.dataset['at'];
      if (at !== undefined) events.choose(at.split('.').map(Number));
    });
    new ResizeObserver(() => this.#draw()).observe(this.#part);
  }

  show(path: string, content: MapContent | undefined): void {
    [this.#path, this.#content] = [path, content];
    this.#part.hidden = content?.bytes === 0;
    this.#draw();
  }

  #draw(): void {
    const { clientWidth: width, clientHeight: height } = this.#part;
    const content = this.#content;
    const key = JSON.stringify([this.#path, width, height, content]);
    if (key === this.#drawn || width === 0) return;
    this.#drawn = key;
    this.#part.ariaLabel = content
      ? `Sizes in ${this.#path}: ${content.nodes
          .slice(0, 5)
          .map(({ entry }) => `${entry.text} ${sizeText(entry.size)}`)
          .join(', ')}`
      : `Sizes in ${this.#path}`;
    const tiles = content ? this.#tiles(content, { x: 0, y: 0, width, height }, []) : [];
    this.#part.replaceChildren(...tiles);
  }

  #tiles({ nodes, bytes, total }: MapContent, box: Box, above: readonly number[]): HTMLElement[] {
    const shown = nodes.slice(0, maxNodes[above.length === 0 ? 0 : 1]).filter(({ entry }) => entry.size > 0);
    const rest = bytes - shown.reduce((sum, { entry }) => sum + entry.size, 0);
    const sizes = [...shown.map(({ entry }) => entry.size), ...(rest > 0 ? [rest] : [])];
    const boxes = treemapOf(sizes, box);
    return boxes.flatMap((each, at) => {
      const node = shown[at];
      if (!node) return [tile(each, 'others', `${(total - shown.length).toLocaleString('en')} others`, rest)];
      const { entry, content } = node;
      const indexes = [...above, at];
      const hasRoom = each.width >= contentWidth && each.height >= contentHeight;
      const isParent = entry.kind === 'directory' && above.length === 0 && hasRoom;
      if (isParent && !content) this.#events.want(at);
      const kind = entry.kind === 'directory' ? 'directory' : `colour-${colourOf(entry)}`;
      const made = tile(each, kind, entry.text, entry.size);
      made.dataset['at'] = indexes.join('.');
      if (!isParent || !content) return [made];
      const { x, y, width, height } = each;
      const inside = { x: x + 3, y: y + nameHeight + 2, width: width - 6, height: height - nameHeight - 5 };
      return [made, ...this.#tiles(content, inside, indexes)];
    });
  }
}

function tile({ x, y, width, height }: Box, kind: string, name: string, size: number): HTMLElement {
  const hasName = width >= nameWidth && height >= nameHeight;
  const text = `${name} ${sizeText(size)}`;
  const made = element('div', { class: `tile ${kind}`, title: text }, hasName && element('bdi', {}, text));
  const { style } = made;
  style.left = `${x}px`;
  style.top = `${y}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
  return made;
}
