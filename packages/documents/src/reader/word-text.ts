/** The members of mammoth's elements from which text is made. */
export interface WordElement {
  readonly type: string;
  readonly children?: readonly WordElement[];
  readonly value?: string;
  readonly styleName?: string | null;
  readonly numbering?: { readonly level: string; readonly isOrdered: boolean } | null;
  readonly href?: string | null;
  readonly altText?: string | null;
  readonly checked?: boolean;
  readonly breakType?: string;
  readonly noteId?: string;
  readonly notes?: WordNotes;
}

interface WordNotes {
  resolve(reference: WordElement): { readonly body: readonly WordElement[] } | undefined;
}

/**
 * How elements become text within a line, by type. An element of any other type becomes the text of its
 * children.
 */
const texts: Readonly<Record<string, (element: WordElement, notes: WordElement[]) => string>> = {
  text: ({ value = '' }) => value,
  tab: () => '\t',
  break: ({ breakType }) => (breakType === 'line' ? '\n' : ''),
  checkbox: ({ checked = false }) => (checked ? '[x]' : '[ ]'),
  image: ({ altText }) => `[image${altText ? `: ${altText}` : ''}]`,
  hyperlink: (element, notes) => {
    const text = inside(element, notes);
    return element.href && element.href !== text ? `[${text}](${element.href})` : text;
  },
  noteReference: (element, notes) => `[^${notes.push(element)}]`,
};

/** Returns a document as text in the style of Markdown, with headings, lists, tables and notes. */
export function textOfWord(document: WordElement): string {
  const notes: WordElement[] = [];
  const blocks = blocksOf(document, notes);
  // A note may refer to further notes, which are appended to the list while it is processed.
  for (let index = 0; index < notes.length; index++) {
    const body = document.notes?.resolve(notes[index]!)?.body ?? [];
    const note = body.flatMap((each) => blocksOf({ type: 'note', children: [each] }, notes));
    blocks.push(`${index === 0 ? '\n' : ''}[^${index + 1}]: ${note.join(' ').trim()}`);
  }
  return blocks.join('\n').trim();
}

function inside({ children = [] }: WordElement, notes: WordElement[]): string {
  return children.map((child) => texts[child.type]?.(child, notes) ?? inside(child, notes)).join('');
}

function blocksOf({ children = [] }: WordElement, notes: WordElement[]): string[] {
  return children.flatMap((child) => {
    if (child.type === 'paragraph') return paragraph(child, notes);
    return child.type === 'table' ? tableRows(child, notes) : blocksOf(child, notes);
  });
}

function paragraph(element: WordElement, notes: WordElement[]): string[] {
  const text = inside(element, notes).trimEnd();
  if (text === '') return [];
  const { styleName, numbering } = element;
  const heading = /^heading ([1-6])/i.exec(styleName ?? '')?.[1] ?? (styleName === 'Title' ? '1' : undefined);
  if (heading !== undefined) return [`\n${'#'.repeat(Number(heading))} ${text}`];
  if (!numbering) return [text];
  return [`${'  '.repeat(Number(numbering.level))}${numbering.isOrdered ? '1.' : '-'} ${text}`];
}

function tableRows({ children = [] }: WordElement, notes: WordElement[]): string[] {
  return children.map(({ children: cells = [] }) => {
    const shown = cells.map((cell) =>
      blocksOf(cell, notes)
        .join(' ')
        .replaceAll(/\s*\n\s*/g, ' ')
        .trim(),
    );
    return `| ${shown.join(' | ')} |`;
  });
}
