import { expect } from 'vitest';
import { runProgram } from './run-program.ts';

/** Checks that `--help` prints each of these words on stdout, and that `--version` prints a version. */
export async function explainsItself(program: string, words: readonly string[]): Promise<void> {
  const help = await runProgram(program, ['--help']);
  expect(help).toMatchObject({ stderr: '', code: 0 });
  for (const word of words) expect(help.stdout).toContain(word);
  expect(await runProgram(program, ['--version'])).toEqual({
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
    code: 0,
  });
}
