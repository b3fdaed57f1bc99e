import {
  type BisectEnd,
  type BisectStep,
  fittingJson,
  fittingLines,
  fittingText,
  type JudgedCommit,
  type ShownObject,
  type TreeEntry,
} from '@mcp/safe-git';
import * as z from 'zod';
import { changedFilesSchema, commitFacts, commitSchema } from './facts.ts';

// The structured content of answers about one object or one bisect, with its schemas.

const count = z.int().min(0);
const entries = z
  .array(z.object({ name: z.string(), kind: z.enum(['file', 'directory', 'symlink', 'submodule']) }))
  .optional();

/**
 * The maximum number of characters of JSON for the lists and texts in the structured content of an answer.
 */
const maxJson = 38_000;

export const shownSchema = z.object({
  tags: z
    .array(
      z.object({
        name: z.string(),
        target: z.string(),
        author: z.string().optional(),
        email: z.string().optional(),
        date: z.string().optional(),
        message: z.string(),
      }),
    )
    .optional(),
  commit: commitSchema.optional(),
  files: changedFilesSchema.optional(),
  entries,
  total: count.optional().describe('Entries'),
  text: z.string().optional().describe('Of a file, with escapes'),
  next_cursor: z.string().optional(),
});

/** The facts of a page of an object. Only the first page has the tags and the message of a commit. */
export function shownFacts({ tags, target }: ShownObject, isFirst: boolean): z.output<typeof shownSchema> {
  const found = targetFacts(target);
  const heads = isFirst ? tags.map(tagFacts) : [];
  let room = maxJson - JSON.stringify([found, heads]).length;
  const fitting = (text: string) => {
    const kept = fittingText(text, Math.max(room, 2));
    room -= JSON.stringify(kept).length;
    return kept;
  };
  return {
    ...(heads.length > 0 && {
      tags: heads.map((head, at) => ({ ...head, message: fitting(tags[at]!.message) })),
    }),
    ...found,
    ...(isFirst &&
      target.kind === 'commit' && {
        commit: { ...found.commit!, message: fitting(target.page.commit.message) },
      }),
  };
}

function targetFacts(target: ShownObject['target']): z.output<typeof shownSchema> {
  if (target.kind === 'directory') return entriesFacts(target.entries);
  const next = target.kind === 'file' ? target.page.nextCursor : target.page.diff.nextCursor;
  if (target.kind === 'file') return { text: target.page.text, next_cursor: next };
  const { commit, diff } = target.page;
  return { commit: commitFacts(commit, false), files: [...(diff.files ?? [])], next_cursor: next };
}

function tagFacts({ name, target, tagger, date }: ShownObject['tags'][number]) {
  return { name, target, author: tagger?.name, email: tagger?.email, date };
}

function entriesFacts(all: readonly TreeEntry[]) {
  const rows = all.map(({ name, kind }) => ({ name, kind }));
  return { entries: rows.slice(0, fittingJson(rows)), total: all.length };
}

export const readSchema = z.object({
  kind: z.enum(['file', 'directory']),
  size: count.optional().describe('Bytes of the file'),
  text: z.string().optional().describe('Missing in a binary file'),
  start_line: z.int().min(1).optional(),
  next_line: z.int().optional().describe('Argument start_line of the next page'),
  cut: z.literal(true).optional().describe('Within a line'),
  entries,
  total: count.optional().describe('Entries'),
});

type ReadFacts = z.output<typeof readSchema>;

export function directoryFacts(all: readonly TreeEntry[]): ReadFacts {
  return { kind: 'directory', ...entriesFacts(all) };
}

/**
 * The structured content of a page of a file. Its text is not escaped, and is cut only within a line that is
 * too long for an answer.
 */
export function fileFacts(
  size: number,
  page?: { readonly text: string; readonly start: number; readonly next?: number | undefined },
): ReadFacts {
  if (page === undefined) return { kind: 'file', size };
  const text = fittingText(page.text);
  const cut = text.length < page.text.length ? { cut: true as const } : {};
  return { kind: 'file', size, text, start_line: page.start, next_line: page.next, ...cut };
}

export const bisectSchema = z.object({
  step: z.enum(['test', 'found', 'skipped']).optional().describe('Missing for log and reset'),
  commit: z.string().optional().describe('To test, or the first bad one'),
  candidates: count.optional(),
  commits: z.array(z.string()).optional().describe('Of which one is the first bad one'),
  start: z.string().optional().describe('Where reset goes back'),
  verdicts: z.array(z.object({ verdict: z.string(), hash: z.string(), subject: z.string() })).optional(),
  good: z.array(z.string()).optional(),
  bad: z.string().optional(),
  left: z.string().optional().describe('Former HEAD, in no branch or tag'),
  total: count.optional().describe('Commits, verdicts or good commits'),
});

type BisectFacts = z.output<typeof bisectSchema>;

export function stepFacts({ kind, ...step }: BisectStep, start: string): BisectFacts {
  if (!('commits' in step)) return { step: kind, ...step, start };
  return { step: kind, commits: fittingHashes(step.commits), total: step.commits.length, start };
}

export function verdictFacts(verdicts: readonly JudgedCommit[]): BisectFacts {
  return { verdicts: verdicts.slice(0, fittingJson(verdicts)), total: verdicts.length };
}

export function bisectEndFacts({ good, bad, left }: BisectEnd): BisectFacts {
  return { good: fittingHashes(good), bad, left, total: good.length };
}

function fittingHashes(hashes: readonly string[]): string[] {
  return hashes.slice(0, fittingLines(hashes.map((hash) => `"${hash}"`)));
}
