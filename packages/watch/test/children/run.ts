import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs one of these programs, by way of another command where one is given, and returns its output. */
export async function run(program: string, [command, ...args]: string[] = []): Promise<unknown[]> {
  const child = [process.execPath, new URL(program, import.meta.url).pathname] as const;
  const [file, ...rest] = command === undefined ? child : [command, ...args, ...child];
  const { stdout } = await promisify(execFile)(file, rest, { timeout: 10_000 });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
