import { isUtf8 } from 'node:buffer';
import type { Receiver } from '../jsonrpc/channel.ts';
import { invalidRequest, parseError, RpcError } from '../jsonrpc/error.ts';

const newline = 0x0a;
const byteOrderMark = 0xfeff;

/** A line's buffer of at most this many bytes is kept for the next line; a larger one is freed. */
const keptBytes = 64 * 1024;

/** Splits a stream of bytes into lines of UTF-8 text of at most `maxBytes`. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #receiver: Pick<Receiver, 'message' | 'malformed'>;
  /** The buffer for an incomplete line, whose first `#partialBytes` bytes are in use; it grows if needed. */
  #partial = Buffer.alloc(0);
  #partialBytes = 0;
  /** True while the rest of a line that is too long is skipped. */
  #skipping = false;
  #first = true;

  constructor(maxBytes: number, receiver: Pick<Receiver, 'message' | 'malformed'>) {
    this.#maxBytes = maxBytes;
    this.#receiver = receiver;
  }

  /** Takes the next bytes of the stream. */
  read(chunk: Buffer): void {
    let start = 0;
    const end = chunk.lastIndexOf(newline);
    if (end >= 0 && (this.#skipping || this.#partialBytes > 0)) {
      start = chunk.indexOf(newline) + 1;
      this.#keep(chunk.subarray(0, start - 1));
      this.#finishLine();
    }
    if (end >= start) this.#emit(chunk.subarray(start, end));
    if (end + 1 < chunk.length) this.#keep(chunk.subarray(end + 1));
  }

  /** Called when the stream has ended: reads the last line, which may lack its newline. */
  end(): void {
    if (this.#partialBytes > 0) this.#finishLine();
  }

  #keep(part: Buffer): void {
    if (this.#skipping) return;
    const bytes = this.#partialBytes + part.length;
    if (bytes > this.#maxBytes) {
      this.#forgetLine();
      this.#skipping = true;
      return this.#tooLong();
    }
    if (bytes > this.#partial.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#partial.length));
      this.#partial.copy(larger, 0, 0, this.#partialBytes);
      this.#partial = larger;
    }
    part.copy(this.#partial, this.#partialBytes);
    this.#partialBytes = bytes;
  }

  #finishLine(): void {
    if (!this.#skipping) this.#emit(this.#partial.subarray(0, this.#partialBytes));
    this.#forgetLine();
    this.#skipping = false;
  }

  #forgetLine(): void {
    this.#partialBytes = 0;
    if (this.#partial.length > keptBytes) this.#partial = Buffer.alloc(0);
  }

  /** Passes complete lines, without the last newline, to the receiver. */
  #emit(lines: Buffer): void {
    if (isUtf8(lines) && lines.length <= this.#maxBytes) {
      // Converting all lines at once is faster than converting each line by itself.
      for (const line of lines.toString('utf8').split('\n')) this.#emitText(line);
      return;
    }
    for (let start = 0; start <= lines.length;) {
      const end = lines.indexOf(newline, start);
      const line = lines.subarray(start, end === -1 ? lines.length : end);
      if (line.length > this.#maxBytes) this.#tooLong();
      else if (isUtf8(line)) this.#emitText(line.toString('utf8'));
      else this.#refuse(new RpcError(parseError, 'A message must be UTF-8'));
      start += line.length + 1;
    }
  }

  #emitText(line: string): void {
    if (this.#first) {
      this.#first = false;
      // Some shells write a byte order mark before piped text.
      if (line.charCodeAt(0) === byteOrderMark) return this.#emitText(line.slice(1));
    }
    // Empty lines are ignored, also those of a host that ends lines with CRLF.
    if (line !== '' && line !== '\r') this.#receiver.message(line);
  }

  #tooLong(): void {
    this.#refuse(new RpcError(invalidRequest, `A message may have at most ${this.#maxBytes} bytes`));
  }

  #refuse(error: RpcError): void {
    this.#first = false;
    this.#receiver.malformed(error);
  }
}
