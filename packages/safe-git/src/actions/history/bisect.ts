import { messageOf } from '@mcp/kit';
import {
  bisectCandidates,
  bisectMarks,
  bisectRefs,
  type BisectMarks,
  deleteBisectRefs,
  judge,
} from '../../commands/history/bisect.ts';
import { log, subjectOf } from '../../commands/history/log.ts';
import { checkout } from '../../commands/refs/branches.ts';
import { commitHash, isAncestor } from '../../commands/objects/rev-parse.ts';
import { noSuch } from '../../errors.ts';
import { checkRevision } from '../../parse/validate-revision.ts';
import { addToLog, readSetup, removeSetup, writeSetup } from '../../queries/operation/bisect-state.ts';
import { branchOfHead } from '../../queries/operation/head.ts';
import { operationIn } from '../../queries/operation/in-progress-operation.ts';
import type { Repository } from '../../repository.ts';
import { quoted } from '../../safe-text.ts';
import { checkOut, detachedCommit, leftCommit } from '../branches/check-out.ts';

export type Verdict = 'good' | 'bad' | 'skip';

/** What to do next, or what was found; a commit to test is checked out. */
export type BisectStep =
  | { readonly kind: 'test'; readonly commit: string; readonly candidates: number }
  | { readonly kind: 'found'; readonly commit: string }
  /** Only skipped commits are left: the first bad commit is one of `commits`. */
  | { readonly kind: 'skipped'; readonly commits: readonly string[] };

export interface BisectStart {
  readonly good: readonly string[];
  readonly bad: string;
  readonly paths: readonly string[];
}

/** Starts a bisect, and checks out the first commit to test. If that fails, nothing is changed. */
export function startBisect(repository: Repository, { good, bad, paths }: BisectStart): Promise<BisectStep> {
  return repository.withLock(async () => {
    const layout = await repository.layout();
    const current = operationIn(layout);
    if (current === 'bisect')
      throw new Error('A bisect is in progress: judge its commits, or reset it first');
    if (current) throw new Error(`A ${current} is in progress: continue or abort it first`);
    const start = (await repository.runLocked(branchOfHead)) ?? (await resolve(repository, 'HEAD'));
    const marks = { bad: await resolve(repository, bad), good: [] as string[], skipped: new Set<string>() };
    for (const revision of good) marks.good.push(await resolve(repository, revision));
    await assertSearchable(repository, marks);
    try {
      writeSetup(layout, { start, paths, firstParent: false });
      addToLog(layout, [await logLine(repository, 'bad', marks.bad)]);
      for (const hash of marks.good) addToLog(layout, [await logLine(repository, 'good', hash)]);
      addToLog(layout, [
        `git bisect start '${marks.bad}' ${marks.good.map((each) => `'${each}'`).join(' ')}`,
      ]);
      await repository.runLocked(judge(marks));
      return await nextStep(repository);
    } catch (error) {
      await end(repository.uncancelled);
      throw error;
    }
  });
}

/** Judges a commit, by default the one that was to be tested, and checks out the next. */
export function judgeCommit(
  repository: Repository,
  verdict: Verdict,
  revision: string | undefined,
): Promise<BisectStep> {
  return repository.withLock(async () => {
    const layout = await requireBisect(repository);
    const commit = await resolve(repository, revision ?? 'HEAD');
    const expected = await repository.runLocked(commitHash('BISECT_EXPECTED_REV'));
    if (revision === undefined && expected !== undefined && expected !== commit)
      throw new Error(
        `The commit to test, ${expected.slice(0, 10)}, is not checked out: the action "next" checks it out, or pass the revision that you tested`,
      );
    const before = await repository.runLocked(bisectMarks);
    const added = {
      ...(verdict === 'bad' && { bad: commit }),
      ...(verdict === 'good' && { good: [commit] }),
      ...(verdict === 'skip' && { skipped: new Set([commit]) }),
    };
    const good = [...before.good, ...(added.good ?? [])];
    await assertSearchable(repository, { ...before, ...added, good });
    await repository.runLocked(judge(added));
    addToLog(layout, [await logLine(repository, verdict, commit), `git bisect ${verdict} ${commit}`]);
    try {
      return await nextStep(repository);
    } catch (error) {
      throw new Error(
        `${messageOf(error)}; the verdict is recorded: then continue with the action "next", which checks out the commit to test`,
        {
          cause: error,
        },
      );
    }
  });
}

/** Checks out the commit to test. */
export function continueBisect(repository: Repository): Promise<BisectStep> {
  return repository.withLock(async () => {
    await requireBisect(repository);
    return nextStep(repository);
  });
}

export interface BisectEnd extends BisectMarks {
  /** The former commit of HEAD; undefined if a branch or tag has that commit in its history. */
  readonly left: string | undefined;
}

/** Ends a bisect, and checks out a revision, by default the branch or commit at which it was started. */
export function resetBisect(repository: Repository, revision: string | undefined): Promise<BisectEnd> {
  return repository.withLock(async () => {
    await requireBisect(repository);
    const to = revision ?? (await startOfBisect(repository));
    const marks = await repository.runLocked(bisectMarks);
    const before = await detachedCommit(repository);
    await checkOut(repository, checkout(to), to);
    const left = await leftCommit(repository, before);
    await end(repository.uncancelled);
    return { ...marks, left };
  });
}

/** The branch, or the commit, of HEAD when the bisect was started. */
export async function startOfBisect(repository: Repository): Promise<string> {
  const { start } = readSetup(await repository.layout());
  if (start === undefined)
    throw new Error('The start of the bisect is unknown: pass the revision to check out');
  return checkRevision(start);
}

async function nextStep(repository: Repository): Promise<BisectStep> {
  const layout = await repository.layout();
  const { paths, firstParent } = readSetup(layout);
  const { bad, good, skipped } = await repository.runLocked(bisectMarks);
  if (bad === undefined || good.length === 0) {
    const missing = bad === undefined ? 'bad' : 'good';
    throw new Error(
      `The bisect has no ${missing} commit yet: mark one with the action "${missing}" and its revision`,
    );
  }
  const candidates = await repository.runLocked(bisectCandidates(bad, good, { paths, firstParent }));
  const commit = candidates.find((each) => each !== bad && !skipped.has(each));
  if (commit !== undefined) {
    await repository.runLocked(judge({}, commit));
    if ((await repository.runLocked(commitHash('HEAD'))) !== commit)
      await checkOut(repository, checkout(commit), commit);
    return { kind: 'test', commit, candidates: candidates.length };
  }
  if (candidates.some((each) => each !== bad)) return { kind: 'skipped', commits: candidates };
  if (!candidates.includes(bad))
    throw new Error(
      'No commit is left to test: no commit after the good ones, up to the bad one, changes the paths; start again with other paths, or without paths',
    );
  addToLog(layout, [await logLine(repository, 'first bad commit', bad)]);
  return { kind: 'found', commit: bad };
}

/** Throws unless the bad commit has all good ones in its history. */
async function assertSearchable(repository: Repository, { bad, good }: BisectMarks): Promise<void> {
  if (bad === undefined) return;
  if (good.includes(bad)) throw new Error(`The same commit is good and bad: ${bad.slice(0, 10)}`);
  for (const hash of good) {
    if (await repository.runLocked(isAncestor(hash, bad))) continue;
    throw new Error(
      `The good commit ${hash.slice(0, 10)} is not in the history of the bad one ${bad.slice(0, 10)}: exchange the two, or pass a good commit that is in the history of the bad one`,
    );
  }
}

async function end(repository: Repository): Promise<void> {
  const names = await repository.runLocked(bisectRefs);
  const states = ['BISECT_EXPECTED_REV', 'BISECT_HEAD'];
  const found = await Promise.all(states.map((name) => repository.runLocked(commitHash(name))));
  const existing = states.filter((_, index) => found[index] !== undefined);
  await repository.runLocked(deleteBisectRefs([...names, ...existing]));
  removeSetup(await repository.layout());
}

async function requireBisect(repository: Repository) {
  const layout = await repository.layout();
  const current = operationIn(layout);
  if (current === 'bisect') return layout;
  throw new Error(
    current === undefined
      ? 'No bisect is in progress; begin one with the action "start"'
      : `A ${current} is in progress: continue or abort it first`,
  );
}

/** A line of the log of verdicts, as git writes it. */
async function logLine(repository: Repository, verdict: string, hash: string): Promise<string> {
  const [commit] = await repository.runLocked(log({ from: hash, max: 1 }));
  return `# ${verdict}: [${hash}] ${commit === undefined ? '' : subjectOf(commit)}`;
}

async function resolve(repository: Repository, revision: string): Promise<string> {
  const hash = await repository.runLocked(commitHash(revision));
  if (hash === undefined)
    throw noSuch('revision', revision, { message: `No such revision: ${quoted(revision)}` });
  return hash;
}
