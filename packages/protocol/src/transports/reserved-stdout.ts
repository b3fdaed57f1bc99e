import { Writable } from 'node:stream';
import { openStderr } from './stderr.ts';

/** A stream of messages to stdout. All other writes go to stderr, where they do not break the messages. */
export function reservedStdout(): Writable {
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
