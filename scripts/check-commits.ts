import { execFileSync } from 'node:child_process';

// Checks the subjects of the commits that a change brings: `fix(filesystem): refuse a path that leaves
// through a symlink`. CONTRIBUTING.md gives the rules. These are the commits since `BASE_COMMIT`, which CI
// sets to the target of a pull request or the commit before a push; by default those that the remote's main
// does not have. `PULL_REQUEST_TITLE`, where it is set, is checked as a subject too.

const maxLength = 72;
const form =
  /^(?:feat|fix|perf|refactor|test|docs|build|ci|chore|revert)(?:\([a-z0-9-]+(?:, [a-z0-9-]+)*\))?!?: [^A-Z\s].*[^.\s]$/;

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trimEnd();

/**
 * The newest commit that a change starts from; undefined in a shallow clone without it, or without a remote.
 */
function baseOfChange(): string | undefined {
  for (const candidate of [process.env['BASE_COMMIT'], 'origin/main']) {
    if (!candidate) continue;
    try {
      return git('merge-base', candidate, 'HEAD');
    } catch {
      // The commit is not in this clone, or `BASE_COMMIT` is zeros: GitHub sends them for the first push of a
      // branch.
    }
  }
  return undefined;
}

function problemOf(subject: string): string | undefined {
  if (subject.length > maxLength) return `${subject.length} characters; at most ${maxLength} are allowed`;
  if (subject.includes(';')) return 'a semicolon joins two ideas; make two commits';
  if (!form.test(subject))
    return 'expected "type(scope): imperative sentence", in lower case, without a full stop';
  return undefined;
}

const base = baseOfChange();
const range = base ? [`${base}..HEAD`] : ['--max-count=1', 'HEAD'];
const title = process.env['PULL_REQUEST_TITLE'];
const subjects = git('log', '--no-merges', '--format=%h %s', ...range)
  .split('\n')
  .concat(title ? `title ${title}` : [])
  .filter((line) => line !== '');
const problems = subjects.flatMap((line) => {
  const problem = problemOf(line.slice(line.indexOf(' ') + 1));
  return problem ? [`${line}\n    ${problem}`] : [];
});

if (problems.length > 0) {
  console.error(`Commit subjects to reword:\n\n${problems.join('\n')}`);
  process.exit(1);
}
const since = base
  ? `since ${base.slice(0, 8)}`
  : 'of the last commit alone: this clone has no base to compare with';
console.log(`${subjects.length} checked ${since}`);
