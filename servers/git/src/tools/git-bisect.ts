import * as z from 'zod';
import {
  bisectEndText,
  type BisectStep,
  bisectText,
  checkRevision,
  continueBisect,
  countedList,
  judgeCommit,
  readBisectLog,
  readVerdicts,
  readWhere,
  type Repository,
  resetBisect,
  startBisect,
  startOfBisect,
  workTreePaths,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { bisectEndFacts, bisectSchema, stepFacts, verdictFacts } from '../text/object-facts.ts';
import { leftText } from '../text/undo-text.ts';

/** Maximum number of good commits to start with. */
const maxGood = 100;

const args = {
  action: z.enum(['start', 'good', 'bad', 'skip', 'next', 'log', 'reset']),
  good: z
    .union([z.string(), z.array(z.string()).min(1).max(maxGood)])
    .optional()
    .describe('With start: commits without the fault'),
  bad: z.string().optional().describe('With start; defaults to HEAD'),
  paths: z.array(z.string()).optional().describe('With start: only commits that change these'),
  revision: z.string().optional().describe('Mark this and not HEAD; with reset, check this out'),
};

export const gitBisect = repositoryTool({
  name: 'git_bisect',
  title: 'Bisect',
  description:
    'Finds the first bad commit: start checks out a commit to test; mark each with good, bad or skip until the first bad one is named; then reset.',
  annotations: { destructiveHint: false, openWorldHint: false },

  args,
  facts: bisectSchema,

  async run(repository, given) {
    const { action, good, paths } = given;
    refuseUnused(given);
    const revision = given.revision === undefined ? undefined : checkRevision(given.revision);
    if (action === 'log') {
      const layout = await repository.layout();
      const verdicts = readBisectLog(layout);
      const text = verdicts.length === 0 ? 'No bisect is in progress' : countedList(verdicts, 'verdict');
      return { text, facts: verdictFacts(readVerdicts(layout)) };
    }
    if (action === 'reset') {
      const ended = await resetBisect(repository, revision);
      const text = `${await readWhere(repository)}${leftText(ended.left)}${bisectEndText(ended)}`;
      return { text, facts: bisectEndFacts(ended) };
    }
    if (action !== 'start') {
      const step =
        action === 'next'
          ? await continueBisect(repository)
          : await judgeCommit(repository, action, revision);
      return toldStep(repository, step);
    }
    if (good === undefined) throw new Error('Missing good: a commit without the fault');
    const { top } = await repository.layout();
    const started = await startBisect(repository, {
      good: [good].flat().map(checkRevision),
      bad: checkRevision(given.bad ?? 'HEAD'),
      paths: workTreePaths(paths ?? [], top),
    });
    return toldStep(repository, started);
  },
});

async function toldStep(repository: Repository, step: BisectStep) {
  const start = await startOfBisect(repository);
  return { text: await bisectText(repository, step, start), facts: stepFacts(step, start) };
}

/** Throws for an argument that the action does not use. */
function refuseUnused(given: z.output<z.ZodObject<typeof args>>): void {
  const { action } = given;
  const names = (['good', 'bad', 'paths', 'revision'] as const).filter((name) => given[name] !== undefined);
  const unused = names.find((name) =>
    action === 'start' ? name === 'revision' : name !== 'revision' || action === 'next' || action === 'log',
  );
  if (unused !== undefined) throw new Error(`Invalid ${unused}: ${action} takes no ${unused}`);
}
