import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checks } from '../bench/side-by-side/checks.ts';
import { type Library, libraries, peers } from '../bench/side-by-side/libraries.ts';
import { linesOf, sourcesOf } from '../bench/side-by-side/sources.ts';
import { handshake, revisions, stateless } from '../bench/side-by-side/todo-client.ts';
import { type Result, type Results, resultsFile } from '../bench/side-by-side/results.ts';
import { withParts } from './written-parts.ts';

// Writes what `node bench/side-by-side/run.ts` found into side-by-side.md: `node docs/side-by-side.ts`.

const page = join(import.meta.dirname, 'side-by-side.md');
const programs = join(import.meta.dirname, '../bench/side-by-side');

/** Returns the page with the results. Throws if the comments that enclose a part are missing. */
export function withResults(text: string): string {
  const { date, node, libraries: found } = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
  const versions = libraries.flatMap(({ folder }) =>
    Object.entries(found[folder]!.versions).map(([name, version]) => `\`${name}\` ${version}`),
  );
  const others = versions.slice(1).join(', ');
  const parts = {
    versions: `As run on ${date} with Node ${node.slice(1)}: ${others}, and \`@mcp/protocol\` of this repository.`,
    table: tableOf(found),
    failures: libraries.flatMap((library) => failuresOf(library, found[library.folder]!)).join('\n\n'),
  };
  return withParts(text, 'docs/side-by-side.ts', parts);
}

/** The programs of all libraries as blocks of Markdown, and what they have in common. */
export function programsText(): string {
  const common = new Map([['todo-lists.ts', readFileSync(join(programs, 'todo-lists.ts'), 'utf8')]]);
  return [
    ...libraries.map((library) => [library.name, sourcesOf(library)] as const),
    ['In common', common] as const,
  ]
    .flatMap(([title, sources]) => [`### ${title}`, ...blocksOf(sources)])
    .join('\n\n');
}

function blocksOf(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].map(([path, code]) => `\`\`\`ts [${path}]\n${code.trimEnd()}\n\`\`\``);
}

function tableOf(found: Results['libraries']): string {
  const results = libraries.map(({ folder }) => found[folder]!);
  const rows = [
    ['', 'here', ...peers.map(({ name }) => name)],
    ['---', ...libraries.map(() => '---')],
    ['lines of the program', ...libraries.map((library) => String(linesOf(library)))],
    ['packages', ...results.map(({ packages }) => String(packages))],
    ['MB', ...results.map(({ bytes }) => (bytes / 1e6).toFixed(1))],
    ['processor time of the start', ...results.map(({ start }) => start.toFixed(1))],
    ['newest revision with a handshake', ...results.map(({ trials }) => trials[handshake].agreed)],
    [stateless, ...results.map(({ trials }) => (trials[stateless].agreed === stateless ? 'yes' : 'no'))],
    ...checks.map(({ name, about }) => [about, ...results.map((result) => cellOf(name, result))]),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** In which of the revisions that a server speaks a check passes. */
function cellOf(check: string, { trials }: Result): string {
  const spoken = revisions.filter((revision) => check in trials[revision].outcomes);
  const passed = spoken.filter((revision) => trials[revision].outcomes[check] === true);
  if (passed.length === 0) return 'no';
  return passed.length === spoken.length ? 'yes' : `only ${passed.join()}`;
}

/** What a server could not do, as run, and what its documents say; empty if it could do everything. */
function failuresOf({ name, notes }: Library, { trials }: Result): string[] {
  const missing = trials[stateless].agreed === stateless ? [] : [`${stateless}: ${trials[stateless].agreed}`];
  const failures = checks.flatMap(({ name: check }) =>
    revisions.flatMap((revision) => {
      const outcome = trials[revision].outcomes[check];
      return typeof outcome === 'string' ? [`${check}, ${revision}: ${outcome}`] : [];
    }),
  );
  const lines = [...missing, ...failures].map((line) => `- \`${line.replaceAll('`', "'")}\``);
  if (lines.length === 0) return [];
  return [[`**${name}**\n`, ...lines, ...notes.map((note) => `- ${note}`)].join('\n')];
}

if (import.meta.main) writeFileSync(page, withResults(readFileSync(page, 'utf8')));
