import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from './server-program.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as { packageManager: string; scripts: object };
const workflows = globSync('.github/workflows/*.yml', { cwd: repository });

describe.each(workflows)('%s', (path) => {
  const text = read(path);
  const commands = Array.from(text.matchAll(/^\s+(?:- )?run: (.*)$/gm), ([, command = '']) => command);

  test('each step is one command, which is tried outside the workflow too', () => {
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(command).not.toMatch(/;|&&|^[|>]|\b(?:for|if|while)\b/);
  });

  test('the commands exist', () => {
    for (const command of commands) {
      const [, file] = /^node (\S+)/.exec(command) ?? [];
      if (file) expect(existsSync(join(repository, file)), command).toBe(true);
      const [, pnpm, folder = '.', script] =
        /^npx --yes (\S+) (?:--dir (\S+) )?(?:run )?(\S+)/.exec(command) ?? [];
      if (!pnpm) continue;
      expect(pnpm).toBe(manifest.packageManager);
      const { scripts } = JSON.parse(read(join(folder, 'package.json'))) as { scripts: object };
      expect([...Object.keys(scripts), 'install', 'exec'], command).toContain(script);
    }
  });

  test('no Node is set up with a cache of pnpm, which npx brings later', () => {
    const steps = text.split(/^ {6}- /m).filter((step) => step.startsWith('uses: actions/setup-node@'));
    for (const step of steps) expect(step).toContain('package-manager-cache: false');
  });

  test('a job that asks for the path of the pages may read it', () => {
    for (const job of text.split(/^ {2}(?=[a-z]+:$)/m)) {
      if (job.includes('actions/configure-pages@')) expect(job).toMatch(/^ {6}pages: (?:read|write)$/m);
    }
  });

  test('a job that checks the subjects of commits has the commits of the change', () => {
    for (const job of text.split(/^ {2}(?=[a-z]+:$)/m)) {
      if (/pnpm@\S+ check$|check-commits/m.test(job)) expect(job).toContain('fetch-depth: 0');
    }
  });
});

test.each(workflows)('%s uses each action at a commit, which its owner cannot move', (path) => {
  for (const [, action = ''] of read(path).matchAll(/uses: (.*)/g)) {
    expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test('only a pushed tag publishes, and a run by hand asks for nothing that a tag alone gets', () => {
  const release = read('.github/workflows/release.yml');
  // A run by hand may be of a tag, too.
  expect(release).not.toContain('ref_type');
  expect(release).toContain("DRY_RUN: ${{ github.event_name != 'push' && '--dry-run' || '' }}");
  expect(release).toContain("environment: ${{ github.event_name == 'push' && 'npm' || 'rehearsal' }}");
  for (const command of release.match(/node release\/publish\/.*/g)!) expect(command).toMatch(/ \$DRY_RUN$/);
});

test('a changed title of a pull request is checked again', () => {
  const checking = workflows.map(read).filter((text) => text.includes('PULL_REQUEST_TITLE'));
  expect(checking.length).toBeGreaterThan(0);
  for (const text of checking) expect(text).toMatch(/^ {2}pull_request:\n {4}types: \[.*\bedited\b.*\]$/m);
});

test('RELEASING.md names each secret and environment, and pushes the tag with its commit or not at all', () => {
  const document = read('RELEASING.md');
  const texts = workflows.map(read).join();
  const secrets = Array.from(texts.matchAll(/secrets\.(\w+)/g), ([, name = '']) => name);
  expect(secrets.length).toBeGreaterThan(0);
  for (const name of [...secrets, 'npm', 'rehearsal']) expect(document).toContain(`\`${name}\``);
  expect(document).not.toMatch(/git push origin (?!--delete)/);
  expect(document).toContain('git push --atomic origin main v1.2.3');
});

test('a workflow runs the conformance suite', () => {
  expect(workflows.map(read).join()).toMatch(/run: npx \S+ pnpm@\S+ conformance$/m);
});

test.each([
  ['npm', '*pnpm-lock.yaml'],
  ['docker', '*Dockerfile'],
])('dependabot looks for %s at every directory with %s', (ecosystem, pattern) => {
  const settings = new RegExp(`package-ecosystem: ${ecosystem}\\n +directories:\\s+\\[([^\\]]*)\\]`);
  const [, listed = ''] = settings.exec(read('.github/dependabot.yml')) ?? [];
  const files = execFileSync('git', ['ls-files', pattern], { cwd: repository, encoding: 'utf8' });
  const directories = files
    .trim()
    .split('\n')
    .map((file) => `/${dirname(file)}`.replace('/.', '/'));
  const named = Array.from(listed.matchAll(/'([^']+)'/g), ([, each]) => each);
  expect(new Set(named)).toEqual(new Set(directories));
});
