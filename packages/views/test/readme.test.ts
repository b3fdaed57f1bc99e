import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the program of the README runs', async () => {
  const package_ = join(import.meta.dirname, '..');
  const readme = await readFile(join(package_, 'README.md'), 'utf8');
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  // Inside the package, whose dependencies the program imports.
  const directory = await mkdtemp(join(package_, 'test/readme-'));
  try {
    await writeFile(join(directory, 'program.ts'), program);
    const args = ['--conditions=@mcp/source', join(directory, 'program.ts')];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe(
      'time {"ui":{"resourceUri":"ui://clock/dial"}}\nwind {"ui":{"visibility":["app"]}}\n',
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});
