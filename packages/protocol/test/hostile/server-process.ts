import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { fixtureProgram } from '../fixtures/fixture-program.ts';

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server in a process of its own, at the other end of pipes that a test writes bytes to. */
export class ServerProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** The process has ended, whatever was read of its output. */
  readonly exited: Promise<Ended>;
  /** The process has ended, and all its output has been read. */
  readonly ended: Promise<Ended>;
  /** Lines that came and were not taken. */
  readonly lines: string[] = [];
  stderr = '';
  #partial = '';
  #closed = false;
  readonly #listeners = new Set<() => void>();

  constructor(fixture: string, options: object = {}, { reading = true } = {}) {
    this.child = spawn(process.execPath, [fixtureProgram(`${fixture}.ts`), JSON.stringify(options)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const { stdin, stdout, stderr } = this.child;
    stdin.on('error', () => {}).on('drain', () => this.#tell());
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#tell();
    });
    this.exited = new Promise((resolve) =>
      this.child.on('exit', (code, signal) => resolve({ code, signal })),
    );
    this.ended = new Promise((resolve) =>
      this.child.on('close', (code, signal) => resolve({ code, signal })),
    );
    stdout.on('close', () => {
      this.#closed = true;
      this.#tell();
    });
    if (reading) this.read();
  }

  /** Starts reading the server's stdout. */
  read(): void {
    this.readLines((line) => this.lines.push(line));
  }

  /** Reads the server's stdout line by line. */
  readLines(read: (line: string) => void): void {
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#partial + text).split('\n');
      this.#partial = lines.pop() ?? '';
      for (const line of lines) read(line);
      this.#tell();
    });
  }

  /** Reads `count` lines without a look at them, for there may be many. */
  async readThrough(count: number): Promise<{ lines: number; bytes: number }> {
    let lines = 0;
    let bytes = 0;
    this.child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, end + 1)) lines++;
      this.#tell();
    });
    await this.until(() => lines >= count);
    return { lines, bytes };
  }

  /** Resolves once the server has begun to write, without reading it. */
  async answering(): Promise<void> {
    await once(this.child.stdout, 'readable');
    this.child.stdout.removeAllListeners('readable');
  }

  send(...messages: readonly unknown[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  write(bytes: string | Uint8Array): void {
    this.child.stdin.write(bytes);
  }

  /** The next message that was not taken yet. */
  async next(): Promise<JsonObject> {
    await this.until(() => this.lines.length > 0);
    return JSON.parse(this.lines.shift() ?? '') as JsonObject;
  }

  async take(count: number): Promise<JsonObject[]> {
    await this.until(() => this.lines.length >= count);
    return this.lines.splice(0, count).map((line) => JSON.parse(line) as JsonObject);
  }

  async ask(message: unknown): Promise<JsonObject> {
    this.send(message);
    return this.next();
  }

  /** Resolves once the process has written something that makes `happened` true. */
  async until(happened: () => boolean): Promise<void> {
    while (!happened()) {
      if (this.#closed) throw new Error(`The server has ended; it said: ${this.stderr}`);
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  /** Megabytes of memory the process had at its peak. */
  get peakMegabytes(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  /** Bytes the process has taken from its pipes and files. */
  get bytesRead(): number {
    const counters = readFileSync(`/proc/${this.child.pid}/io`, 'utf8');
    return Number(/rchar: (\d+)/.exec(counters)?.[1]);
  }

  /** Ends its input and gives everything that was not taken, and how it ended. */
  async end(): Promise<{ messages: JsonObject[]; stderr: string } & Ended> {
    this.child.stdin.end();
    const ended = await this.ended;
    const messages = this.lines.splice(0).map((line) => JSON.parse(line) as JsonObject);
    return { messages, stderr: this.stderr, ...ended };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    this.child.stdout.resume();
    await this.ended;
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      this.#listeners.delete(listener);
      listener();
    }
  }
}
