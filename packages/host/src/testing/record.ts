import { type CommandInput, type OptionSpec, valueOf } from '../command-line/command.ts';
import type { Parts } from './answer.ts';
import type { Call } from './call-file.ts';

/** The option of commands whose call `mcp test` can repeat. */
export const recordOption: OptionSpec = {
  name: 'record',
  value: 'file',
  help: 'adds the call to this file for mcp test, with its answer as what is expected',
};

/** Adds a call to the file of `--record`, with what was answered as what is expected. */
export type RecordCall = (call: Call, parts: Parts) => Promise<void>;

/**
 * Returns the function that adds a call to the file of `--record`; undefined without this option. Rejects
 * with a `HostError` if no call can be added to the file, before the call is made.
 */
export async function recorderOf({
  options,
  output,
}: Pick<CommandInput, 'options' | 'output'>): Promise<RecordCall | undefined> {
  const file = valueOf(options, 'record');
  return file === undefined ? undefined : (await import('./record-call.ts')).recorder(file, output);
}
