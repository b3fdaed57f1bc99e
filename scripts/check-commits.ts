import { execFileSync } from 'node:child_process';

// Checks the subjects of commits: `fix(filesystem): refuse a path that leaves through a symlink`.
// CONTRIBUTING.md gives the rules. Commits up to `lastUnchecked` are older than this check.
// `PULL_REQUEST_TITLE`, where it is set, is checked as a subject too.

const lastUnchecked = 'e9d3449';
const maxLength = 72;
const form =
  /^(?:feat|fix|perf|refactor|test|docs|build|ci|chore|revert)(?:\([a-z0-9-]+(?:, [a-z0-9-]+)*\))?!?: [^A-Z\s].*[^.\s]$/;

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The commits to check: in a shallow clone, those that are there. */
function checkedRange(): string {
  try {
    git('merge-base', '--is-ancestor', lastUnchecked, 'HEAD');
    return `${lastUnchecked}..HEAD`;
  } catch {
    return 'HEAD';
  }
}

function problemOf(subject: string): string | undefined {
  if (subject.length > maxLength) return `${subject.length} characters; at most ${maxLength} are allowed`;
  if (subject.includes(';')) return 'a semicolon joins two ideas; make two commits';
  if (!form.test(subject))
    return 'expected "type(scope): imperative sentence", in lower case, without a full stop';
  return undefined;
}

const title = process.env['PULL_REQUEST_TITLE'];
const problems = git('log', '--no-merges', '--format=%h %s', checkedRange())
  .trimEnd()
  .split('\n')
  .concat(title ? `title ${title}` : [])
  .filter((line) => line !== '')
  .flatMap((line) => {
    const space = line.indexOf(' ');
    const problem = problemOf(line.slice(space + 1));
    return problem ? [`${line}\n    ${problem}`] : [];
  });

if (problems.length > 0) {
  console.error(`Commit subjects to reword:\n\n${problems.join('\n')}`);
  process.exit(1);
}
