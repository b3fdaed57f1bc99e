import { messageOf } from '@mcp/kit';
import { replaceFile } from '@mcp/kit/node';
import { type CommandInput, type OptionSpec, valueOf } from '../../command-line/command.ts';
import { exitCodes, usageError } from '../../errors.ts';

export const outOption: OptionSpec = {
  name: 'out',
  short: 'o',
  value: 'file',
  help: 'the file to write; stdout by default',
};

/** Prints generated code, or writes it to the file of `--out`. */
export async function writeCode(code: string, { options, output }: CommandInput): Promise<number> {
  const file = valueOf(options, 'out');
  if (file === undefined) {
    output.text(code.trimEnd());
    return exitCodes.ok;
  }
  try {
    await replaceFile(file, code, { mode: readableMode });
  } catch (error) {
    throw usageError(`Cannot write to --out "${file}": ${messageOf(error)}`);
  }
  return exitCodes.ok;
}

const readableMode = 0o644;
