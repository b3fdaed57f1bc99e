import { isUtf8 } from 'node:buffer';
import { fstatSync, readSync, writeSync } from 'node:fs';
import type { Channel, Envelope, Receiver, Route } from '../jsonrpc/channel.ts';
import { inNextTurn } from '../platform/in-next-turn.ts';
import { linesOf, type StreamChannel } from './stream-channel.ts';

/** The first bytes of stdin; `text` is the first message, if they contain it whole. */
export interface FirstBytes {
  readonly text?: string;
  /** The bytes that follow the first message, from its newline on. */
  readonly rest: Buffer;
}

const stdin = 0;
const stdout = 1;
const maxReadBytes = 64 * 1024;
/** An empty pipe takes this many bytes on every system. More could block the event loop. */
const maxWrittenBytes = 8 * 1024;
const newline = 0x0a;
const brace = 0x7b;

/**
 * Waits for the first bytes of stdin, without Node's streams: loading these takes longer than answering
 * `initialize`. The wait blocks the event loop. So it returns undefined, without waiting, unless this process
 * does nothing else and stdin is the pipe of a client; and if `stop` is aborted in this turn.
 */
export async function firstBytes(stop: AbortSignal): Promise<FirstBytes | undefined> {
  await new Promise<void>(inNextTurn);
  if (stop.aborted || !waitsOnlyForItsClient()) return undefined;
  try {
    const buffer = Buffer.allocUnsafeSlow(maxReadBytes);
    const bytes = buffer.subarray(0, readSync(stdin, buffer));
    const end = bytes.indexOf(newline);
    const line = bytes.subarray(0, Math.max(end, 0));
    if (line[0] !== brace || !isUtf8(line)) return { rest: bytes };
    // The newline is an empty line: only the first line of a stream may begin with a byte order mark.
    return { text: line.toString('utf8'), rest: bytes.subarray(end) };
  } catch {
    // For example, the pipe does not block. The streams read it, and report errors.
    return undefined;
  }
}

function waitsOnlyForItsClient(): boolean {
  // A signal does not end the first process of a container, unless a listener that runs handles it.
  if (process.platform === 'win32' || process.pid === 1 || process.channel) return false;
  // Node with options of its own may run a debugger or a profiler, which need the event loop.
  if (process.execArgv.length > 0 || process.env['NODE_OPTIONS']) return false;
  // A signal that arrives during the wait ends the process without calling listeners.
  if (process.eventNames().some((name) => name === 'exit' || String(name).startsWith('SIG'))) return false;
  if (process.getActiveResourcesInfo?.().length !== 0) return false;
  const stats = fstatSync(stdin);
  return stats.isFIFO() || stats.isSocket();
}

/** Delivers the first message and writes what is sent in the same turn; then opens the streams. */
export class FirstMessageChannel implements Channel {
  readonly route: Route = { transport: 'pipe' };
  readonly #first: string;
  readonly #openStreams: (unsent: Buffer) => StreamChannel;
  #sent: string[] = [];
  #receiver: Receiver | undefined;
  #streams: StreamChannel | undefined;
  #held = false;

  /** @param openStreams Opens the streams, and writes `unsent`, which the pipe did not take. */
  constructor(first: string, openStreams: (unsent: Buffer) => StreamChannel) {
    this.#first = first;
    this.#openStreams = openStreams;
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver;
    // Before the message: a message may plan long work for the next turn, and its answer goes first.
    inNextTurn(() => this.#opened());
    receiver.message(this.#first);
  }

  send(text: string, envelope?: Envelope): void {
    if (this.#streams) this.#streams.send(text, envelope);
    else this.#sent.push(text);
  }

  get congested(): boolean {
    return this.#streams?.congested ?? false;
  }

  drained(): Promise<void> {
    return this.#opened().drained();
  }

  hold(held: boolean): void {
    this.#held = held;
    this.#streams?.hold(held);
  }

  close(): Promise<void> {
    return this.#opened().close();
  }

  #opened(): StreamChannel {
    if (this.#streams) return this.#streams;
    const streams = this.#openStreams(written(linesOf(this.#sent)));
    this.#streams = streams;
    this.#sent = [];
    streams.hold(this.#held);
    if (this.#receiver) streams.open(this.#receiver);
    return streams;
  }
}

/** Writes to stdout; returns the bytes that it did not take. */
function written(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length === 0 || bytes.length > maxWrittenBytes) return bytes;
  try {
    return bytes.subarray(writeSync(stdout, bytes));
  } catch {
    // The pipe is full or closed: the stream waits, or reports it.
    return bytes;
  }
}
