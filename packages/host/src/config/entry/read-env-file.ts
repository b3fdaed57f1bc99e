import { parseEnv } from 'node:util';
import { messageOf } from '@mcp/kit';
import { readFile } from '../../read-file.ts';

/** The variables of an `envFile`; rejects with an error that names the path if the file cannot be read. */
export async function readEnvFile(path: string): Promise<Record<string, string>> {
  try {
    return parseEnv((await readFile(path)).toString()) as Record<string, string>;
  } catch (error) {
    throw new Error(`Cannot read the envFile "${path}": ${messageOf(error)}`, { cause: error });
  }
}
