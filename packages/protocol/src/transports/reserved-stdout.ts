import { Writable } from 'node:stream';
import { openStderr } from './stderr.ts';

/**
 * Reserves stdout for messages: all other writes go to stderr, where they do not break the messages. Returns
 * a function that opens the stream of messages.
 */
export function reserveStdout(): () => Writable {
  const standard = Object.getOwnPropertyDescriptor(process, 'stdout');
  // The stream takes long to open, and the program may never use it. In Bun, it is open already.
  if (!standard?.get || !standard.configurable) {
    const opened = streamOfMessages();
    return () => opened;
  }
  let reserved: Writable | undefined;
  const open = () => {
    Object.defineProperty(process, 'stdout', standard);
    return (reserved ??= streamOfMessages());
  };
  Object.defineProperty(process, 'stdout', { ...standard, get: () => (open(), process.stdout) });
  return open;
}

function streamOfMessages(): Writable {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = ((...given: Parameters<typeof stdout.write>) =>
    openStderr().write(...given)) as typeof stdout.write;
  const reserved = new Writable({
    decodeStrings: false,
    highWaterMark: stdout.writableHighWaterMark,
    write: (text: string, encoding, done) => void write(text, encoding, done),
  });
  stdout.on('error', (error) => reserved.destroy(error));
  stdout.on('close', () => reserved.destroy());
  return reserved;
}
