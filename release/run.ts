import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a command and returns its stdout. Throws with the command and the end of its output when it fails. */
export async function run(
  [command, ...args]: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  try {
    return (await execute(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const output = `${stdout}${stderr}`.slice(-20_000);
    throw new Error(`${[command, ...args].join(' ')} in ${options.cwd}:\n${output}`, { cause: error });
  }
}

/** Prints an error, with what to do, and ends the program with status 1. */
export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
