import { messageOf } from '@mcp/kit';
import type { Command } from '../command-line/command.ts';
import { exitCodes, usageError } from '../errors.ts';
import { readNamedFile } from '../read-file.ts';
import { printedCommand } from '../printed-command.ts';

export const replay: Command = {
  name: 'replay',
  usage: '<recording> [server]',
  help: 'serves a recording of --trace over stdio: recorded requests get their recorded answers, and others an error',
  examples: ['tools files --trace recording.jsonl', 'replay recording.jsonl'],
  words: ['any'],
  async run({ positionals, output, signal }) {
    const [file, server] = positionals;
    if (file === undefined) throw usageError(`Name a recording: ${printedCommand('replay', '<recording>')}`);
    const { exchangesOf } = await import('../recording/exchanges.ts');
    const exchanges = exchangesOf(file, await textOf(file, signal), server);
    const { StreamChannel } = await import('@mcp/protocol/stdio');
    const { Replay } = await import('../recording/replay.ts');
    const channel = new StreamChannel(process.stdin, process.stdout);
    await new Replay(channel, exchanges, {
      name: file,
      onMissing: (message) => output.warning(message),
    }).serve(signal);
    return exitCodes.ok;
  },
};

async function textOf(file: string, signal: AbortSignal): Promise<string> {
  try {
    return (await readNamedFile(file, signal)).toString();
  } catch (error) {
    throw usageError(`Cannot read the recording "${file}": ${messageOf(error)}`);
  }
}
