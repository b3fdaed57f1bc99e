import { resolve } from 'node:path';
import { messageOf } from '@mcp/kit';
import { replaceFile } from '@mcp/kit/node';
import { type CommandInput, type OptionSpec, valueOf } from '../../command-line/command.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { type Made, outdatedFiles, rememberMade } from './made-file.ts';
import { makeCode } from './make-code.ts';

export const outOption: OptionSpec = {
  name: 'out',
  short: 'o',
  value: 'file',
  help: 'the file to write; stdout by default',
};

/** Prints generated code, or writes it to the file of `--out`, which `mcp trust` then keeps up to date. */
export async function writeMade(made: Made, input: CommandInput): Promise<number> {
  await writeCode(await makeCode(made, input), input);
  const out = valueOf(input.options, 'out');
  if (out !== undefined) rememberMade({ file: resolve(out), ...made }, input.directories);
  return exitCodes.ok;
}

/** Prints a text, or writes it to the file of `--out`. */
export async function writeCode(
  text: string,
  { options, output }: Pick<CommandInput, 'options' | 'output'>,
): Promise<void> {
  const out = valueOf(options, 'out');
  if (out === undefined) return output.text(text.trimEnd());
  await replaceFile(resolve(out), text, { mode: readableMode }).catch((error: unknown) => {
    throw usageError(`Cannot write to --out "${out}": ${messageOf(error)}`);
  });
}

const readableMode = 0o644;

/** Writes again the files with the tools of a server whose tools are others now. */
export async function writeAgain(
  server: string,
  { servers, signal, directories, output }: CommandInput,
): Promise<void> {
  const tools = await servers.tools(server, { signal });
  for (const { file, ...made } of await outdatedFiles(server, tools, directories)) {
    try {
      await replaceFile(file, await makeCode(made, { servers, signal }), { mode: readableMode });
      output.note(`Generated ${file} again`);
    } catch (error) {
      signal.throwIfAborted();
      output.note(`Cannot generate ${file} again: ${messageOf(error)}`, 'yellow');
    }
  }
}
