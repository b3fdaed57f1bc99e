import { readFile, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skillText, writeFiles } from './workspace.ts';

test('the program of the README runs', async () => {
  const package_ = join(import.meta.dirname, '..');
  const readme = await readFile(join(package_, 'README.md'), 'utf8');
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  // Inside the package, whose dependencies the program imports.
  const directory = await mkdtemp(join(package_, 'test/readme-'));
  try {
    await writeFile(join(directory, 'program.ts'), program);
    await writeFiles(join(directory, 'skills/greet'), { 'SKILL.md': skillText('greet') });
    const args = ['--conditions=@mcp/source', join(directory, 'program.ts')];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe(
      `Does greet. ${skillText('greet')}\n`,
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});
