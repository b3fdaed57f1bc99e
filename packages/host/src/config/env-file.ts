import { parseEnv } from 'node:util';
import { readNamedFile } from './read-named-file.ts';

/** The variables of an `envFile`; throws with the path where it cannot be read. */
export function readEnvFile(path: string): Record<string, string> {
  try {
    return parseEnv(readNamedFile(path)) as Record<string, string>;
  } catch (error) {
    throw new Error(`Cannot read the envFile "${path}": ${(error as Error).message}`, { cause: error });
  }
}
