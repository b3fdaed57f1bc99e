import type { Language } from './language.ts';

/** Finds only headings. `nestHeadings` computes from their levels which lines belong to each heading. */
export const markdown: Language = {
  grammar: 'tree-sitter-markdown.wasm',
  query: [
    ...[1, 2, 3, 4, 5, 6].map(
      (level) => `(atx_heading (atx_h${level}_marker) heading_content: (_) @name) @h${level}`,
    ),
    '(setext_heading heading_content: (_) @name (setext_h1_underline)) @h1',
    '(setext_heading heading_content: (_) @name (setext_h2_underline)) @h2',
  ].join('\n'),
};
