import type { Readable, Writable } from 'node:stream';
import type { Channel, Envelope, Receiver, Route } from '../jsonrpc/channel.ts';
import type { RpcError } from '../jsonrpc/error.ts';
import { LineReader } from './line-reader.ts';

/** Limits of a channel over byte streams. */
export interface StreamOptions {
  /** The maximum length of a message, in bytes. Default: 64 MiB. */
  readonly maxMessageBytes?: number;
}

const maxMessageBytes = 64 * 1024 * 1024;

/** The number of queued characters of answers above which the channel stops reading. */
const highWaterMark = 256 * 1024;

/**
 * Messages are joined for one write until it has this many characters. The string of a longer write lives so
 * long that its garbage collection is costly.
 */
const pieceLength = 64 * 1024;

/**
 * The first write of an event-loop turn is made after this many messages, so that the reader can start while
 * the other messages of the turn are built.
 */
const firstMessages = 32;

/** Characters that some readers treat as line breaks, although JSON strings may contain them unescaped. */
const otherLineBreaks = /[\u2028\u2029]/g;

/** Messages as text with one line for each. Changes the array. */
export function linesOf(messages: string[]): string {
  return escaped(joined(messages));
}

function joined(messages: string[]): string {
  // The empty element makes `join` add the last newline; a concatenation would copy the text once more.
  messages.push('');
  return messages.join('\n');
}

function escaped(lines: string): string {
  return lines.replace(otherLineBreaks, (character) => (character === '\u2028' ? '\\u2028' : '\\u2029'));
}

/** A channel over two streams of bytes: one message per line, as on stdio. */
export class StreamChannel implements Channel {
  readonly route: Route = { transport: 'pipe' };
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #maxBytes: number;
  readonly #waiting: (() => void)[] = [];
  #receiver: Receiver | undefined;
  /** Messages, and errors for malformed ones, that were read but could not be delivered at once. */
  #backlog: (string | RpcError)[] = [];
  #delivered = 0;
  #inputEnded = false;
  #queue: string[] = [];
  #queued = 0;
  /**
   * The number of queued characters that belong to answers. It may be too low, because every write lowers it
   * by its full length, even if a part of the write was requests. Requests do not count, because they must
   * not stop the reading: two sides that both wait for the other to read would wait forever.
   */
  #answers = 0;
  #scheduled = false;
  /** Whether the first write of this turn of the event loop has been made. */
  #begun = false;
  /** True while the buffer of the output stream is full. */
  #full = false;
  #held = false;
  #paused = false;
  #closed = false;

  constructor(input: Readable, output: Writable, options: StreamOptions = {}) {
    this.#input = input;
    this.#output = output;
    this.#maxBytes = options.maxMessageBytes ?? maxMessageBytes;
    output.on('drain', () => {
      this.#full = false;
      this.#flush();
    });
    // An error means that the reader has closed the stream. This ends the conversation and is not a failure.
    output.on('error', () => this.#broken());
    output.on('close', () => this.#broken());
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver;
    const lines = new LineReader(this.#maxBytes, {
      message: (text) => {
        if (this.#takesNow) receiver.message(text);
        else this.#keep(text);
      },
      malformed: (error) => {
        if (this.#takesNow) receiver.malformed(error);
        else this.#keep(error);
      },
    });
    const ended = () => {
      lines.end();
      this.#inputEnded = true;
      this.#deliver();
    };
    this.#input.on('data', (chunk: Buffer) => lines.read(chunk));
    for (const event of ['end', 'close', 'error']) this.#input.once(event, ended);
    this.#regulate();
  }

  send(text: string, envelope?: Envelope): void {
    if (this.#closed) return;
    this.#queue.push(text);
    this.#queued += text.length;
    if (envelope?.method === undefined) {
      this.#answers += text.length;
      if (this.#answers > highWaterMark) this.#regulate();
    }
    if (this.#full) return;
    // Makes a full write before the turn ends: the reader can process it while the next is built.
    if (this.#queued >= pieceLength || (!this.#begun && this.#queue.length >= firstMessages)) {
      this.#begun = true;
      this.#full = !this.#output.write(this.#nextPiece());
    }
    if (this.#scheduled || this.#full) return;
    this.#scheduled = true;
    // The remaining messages of one turn of the event loop are written together.
    setImmediate(() => {
      this.#scheduled = false;
      this.#begun = false;
      this.#flush();
    });
  }

  get congested(): boolean {
    return this.#queued > highWaterMark;
  }

  drained(): Promise<void> {
    if (!this.congested || this.#closed) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  hold(held: boolean): void {
    this.#held = held;
    this.#deliver();
    this.#regulate();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve();
      while (this.#queue.length > 0) this.#output.write(this.#nextPiece());
      this.#closed = true;
      this.#output.once('close', resolve);
      this.#output.once('error', resolve);
      this.#output.end(resolve);
    });
  }

  /** Whether lines are passed to the receiver as soon as they are read. */
  get #takesNow(): boolean {
    return !this.#held && this.#answers <= highWaterMark && this.#backlog.length === 0 && !this.#over;
  }

  get #over(): boolean {
    return this.#closed || this.#receiver === undefined;
  }

  #keep(item: string | RpcError): void {
    if (!this.#over) this.#backlog.push(item);
  }

  #deliver(): void {
    const receiver = this.#receiver;
    if (!receiver) return;
    while (this.#delivered < this.#backlog.length) {
      // While too many answers are unread, requests wait; after the end of the input, all are answered.
      if (this.#held || (this.#answers > highWaterMark && !this.#inputEnded)) return;
      const item = this.#backlog[this.#delivered++]!;
      if (typeof item === 'string') receiver.message(item);
      else receiver.malformed(item);
    }
    this.#backlog = [];
    this.#delivered = 0;
    if (!this.#inputEnded) return;
    this.#receiver = undefined;
    receiver.ended();
  }

  #flush(): void {
    while (!this.#full && this.#queue.length > 0) this.#full = !this.#output.write(this.#nextPiece());
    this.#deliver();
    this.#regulate();
    if (this.congested) return;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Takes the messages of one write from the queue, about `pieceLength` characters at most. */
  #nextPiece(): string {
    let lines = this.#queue;
    if (this.#queued > pieceLength) {
      let count = 0;
      for (let length = 0; length < pieceLength && count < lines.length; count++) {
        length += lines[count]!.length;
      }
      lines = this.#queue.splice(0, count);
    } else {
      this.#queue = [];
    }
    const { length } = lines;
    const piece = joined(lines);
    const taken = piece.length - length;
    this.#queued -= taken;
    this.#answers = Math.max(0, this.#answers - taken);
    return escaped(piece);
  }

  /** Reads unless the channel is paused or too many answers are queued. */
  #regulate(): void {
    const pause = this.#held || this.#answers > highWaterMark;
    if (!this.#receiver || pause === this.#paused) return;
    this.#paused = pause;
    if (pause) this.#input.pause();
    else this.#input.resume();
  }

  #broken(): void {
    this.#closed = true;
    this.#queue = [];
    this.#queued = 0;
    this.#answers = 0;
    this.#backlog = [];
    this.#delivered = 0;
    for (const resume of this.#waiting.splice(0)) resume();
    this.#inputEnded = true;
    this.#deliver();
  }
}
