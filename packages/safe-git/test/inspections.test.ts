import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AllowedDirectories, commitHash, Repositories } from '../src/index.ts';

test('reads that run concurrently share an inspection, later ones inspect an included file again', async () => {
  const base = mkdtempSync(join(tmpdir(), 'safe-git-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, bin, list] = [join(base, 'repository'), join(base, 'bin'), join(base, 'started')];
  execFileSync('git', ['init', '--quiet', root]);
  execFileSync('git', ['-C', root, 'config', 'include.path', 'other']);
  mkdirSync(bin);
  const path = process.env['PATH']!;
  const script = `#!/bin/sh\nfor last; do :; done\necho "$last" >> '${list}'\nPATH='${path}' exec git "$@"\n`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  const environment = { ...process.env, PATH: `${bin}:${path}` };
  using repositories = new Repositories(new AllowedDirectories([root]), { environment });
  const repository = repositories.at(undefined);
  const inspections = () => readFileSync(list, 'utf8').match(/^--includes$/gm)?.length;
  const read = () => repository.run(commitHash('HEAD'));

  await Promise.all([read(), read(), read()]);
  expect(inspections()).toBe(1);
  await Promise.all([read(), read(), read()]);
  expect(inspections()).toBe(2);
  await read();
  expect(inspections()).toBe(3);
});
