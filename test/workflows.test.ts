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

  test('a job that checks the subjects of commits has all commits', () => {
    for (const job of text.split(/^ {2}(?=[a-z]+:$)/m)) {
      if (/pnpm@\S+ check$|check-commits/m.test(job)) expect(job).toContain('fetch-depth: 0');
    }
  });
});

test('a workflow runs the conformance suite', () => {
  expect(workflows.map(read).join()).toMatch(/run: npx \S+ pnpm@\S+ conformance$/m);
});

test('dependabot looks at every directory with a lockfile', () => {
  const [, listed = ''] = /directories: \[(.*)\]/.exec(read('.github/dependabot.yml'))!;
  const lockfiles = execFileSync('git', ['ls-files', '*pnpm-lock.yaml'], {
    cwd: repository,
    encoding: 'utf8',
  });
  const directories = lockfiles
    .trim()
    .split('\n')
    .map((file) => `/${dirname(file)}`.replace('/.', '/'));
  const named = Array.from(listed.matchAll(/'([^']+)'/g), ([, each]) => each);
  expect(new Set(named)).toEqual(new Set(directories));
});
