import { isObject } from '@mcp/kit';
import type { Named } from './catalog.ts';

/** A tool by its public name. */
export type Found = readonly [name: string, tool: Named<'tools'>];

/** How much a word counts, by the part of a tool that has it. */
const weights = { name: 3, server: 2, title: 2, description: 1, arguments: 0.3 } as const;

/** How much a word counts that only begins like the one that is looked for, or means the same. */
const similarWeight = 0.5;

/** The least part of the best score that a tool must have. */
const leastPart = 0.2;

/** The parameters of Okapi BM25: how soon more of a word counts no more, and how much length counts. */
const saturation = 1.2;
const lengthPart = 0.3;

/** Words that say nothing about a tool. */
const stopWords = new Set(
  'a an and are as at be by can do does for from have how i in into is it its me my of on or our that the this to want was we what when which why will with you your'.split(
    ' ',
  ),
);

/** Words that mean the same in names of tools, in groups. */
const synonyms = [
  'create add append make new insert open',
  'delete remove erase drop trash',
  'get read show retrieve fetch view see',
  'list show all',
  'search find look query filter',
  'update edit change modify set',
  'send sent post write publish',
  'reply answer respond',
  'picture image photo screenshot',
  'cancel stop end abort',
  'start run launch execute trigger',
  'share give grant access permission',
  'file document',
  'event meeting appointment',
  'track song music',
  'email mail',
  'issue ticket bug error',
  'pr pull request',
];

/**
 * The tools for a task in words, the best first: Okapi BM25 over names, descriptions and arguments, with
 * words that mean the same. Without words, all tools in their order.
 */
export function searchTools(tools: readonly Found[], query: string): readonly Found[] {
  const wanted = [...new Set(tokensOf(query))];
  if (wanted.length === 0) return tools;
  const documents = tools.map(documentOf);
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const scores = documents.map(() => 0);
  const matched = documents.map(() => 0);
  const groups = synonyms.map(tokensOf);
  for (const term of wanted) {
    const same = groups.filter((group) => group.includes(term)).flat();
    const counts = documents.map(({ words }) => countOf(term, same, words));
    const having = counts.filter((count) => count > 0).length;
    const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
    for (const [index, count] of counts.entries()) {
      if (count > 0) matched[index]!++;
      const { length } = documents[index]!;
      const norm = saturation * (1 - lengthPart + (lengthPart * length) / meanLength);
      scores[index]! += (rarity * count * (saturation + 1)) / (count + norm);
    }
  }
  // A tool with several of the words is better than one with a single word that is rare.
  const ranked = scores.map((score, index) => (score * matched[index]!) / wanted.length);
  const best = Math.max(0, ...ranked);
  return tools
    .map((tool, index) => ({ tool, score: ranked[index]! }))
    .filter(({ score }) => score > 0 && score >= best * leastPart)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

interface Document {
  /** How much each word counts. */
  readonly words: ReadonlyMap<string, number>;
  readonly length: number;
}

function documentOf([, { link, shown }]: Found): Document {
  const { properties } = shown.inputSchema;
  const parts: readonly (readonly [keyof typeof weights, string])[] = [
    ['name', shown.name],
    ['server', link.name],
    ['title', shown.title ?? ''],
    ['description', shown.description ?? ''],
    ['arguments', isObject(properties) ? Object.keys(properties).join(' ') : ''],
  ];
  const words = new Map<string, number>();
  let length = 0;
  for (const [part, text] of parts) {
    for (const token of tokensOf(text)) {
      words.set(token, (words.get(token) ?? 0) + weights[part]);
      length++;
    }
  }
  return { words, length };
}

/**
 * How much a term counts in a document: that of the word itself, or of a similar one. `same` are the words
 * that mean the same.
 */
function countOf(term: string, same: readonly string[], words: Document['words']): number {
  const own = words.get(term);
  if (own !== undefined) return own;
  const similar = Array.from(words).filter(([word]) => same.includes(word) || beginsLike(word, term));
  return similarWeight * Math.max(0, ...similar.map(([, count]) => count));
}

function beginsLike(word: string, term: string): boolean {
  const [short, long] = word.length < term.length ? [word, term] : [term, word];
  return short.length >= 4 && long.startsWith(short);
}

/** The words of a text without their endings: `createIssues` gives `creat` and `issu`. */
function tokensOf(text: string): string[] {
  return text
    .replaceAll(/e-mail/gi, 'email')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !stopWords.has(word))
    .map(stemOf);
}

function stemOf(word: string): string {
  const plain = word
    .replace(/(?<=.{2})ies$/, 'y')
    .replace(/(?<=.{2}[^s])s$/, '')
    .replace(/(?<=.{3})(?:ing|ed)$/, '')
    .replace(/([^aeiouls])\1$/, '$1');
  return plain.length > 4 ? plain.replace(/e$/, '') : plain;
}
