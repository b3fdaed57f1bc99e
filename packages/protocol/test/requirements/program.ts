import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { fixtureProgram } from '../fixtures/fixture-program.ts';
import { initialize, metaOf, type Speaker, stateless } from './wire.ts';

/** A server in a process of its own, behind real pipes. */
export class Program {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything it wrote, as it was. */
  stdout = '';
  stderr = '';
  #taken = 0;
  #ended = false;
  readonly #version: string;
  readonly #speaker: Speaker;

  private constructor(fixture: string, version: string, speaker: Speaker) {
    this.child = spawn(process.execPath, [fixtureProgram(fixture)]);
    this.#version = version;
    this.#speaker = speaker;
    this.child.on('close', () => (this.#ended = true));
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Starts a fixture and shakes hands with it, where the revision has a handshake. */
  static async start(fixture: string, version: string, speaker: Speaker = {}): Promise<Program> {
    const program = new Program(fixture, version, speaker);
    if (version === stateless) return program;
    program.send(initialize('handshake', version, speaker.capabilities));
    await program.next();
    program.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return program;
  }

  request(id: string | number, method: string, params: JsonObject = {}): JsonObject {
    const meta = this.#version === stateless && { _meta: metaOf(this.#speaker) };
    return { jsonrpc: '2.0', id, method, params: { ...params, ...meta } };
  }

  send(message: unknown): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** The next line of stdout, which must be a message. */
  async next(): Promise<JsonObject> {
    for (;;) {
      const end = this.stdout.indexOf('\n', this.#taken);
      if (end >= 0) {
        const line = this.stdout.slice(this.#taken, end);
        this.#taken = end + 1;
        return JSON.parse(line) as JsonObject;
      }
      if (this.#ended) throw new Error(`The process has ended; on stderr it said: ${this.stderr}`);
      await Promise.race([once(this.child.stdout, 'data'), once(this.child, 'close')]);
    }
  }

  async ask(message: unknown): Promise<JsonObject> {
    this.send(message);
    return this.next();
  }

  /** Closes stdin, and waits for the process. */
  async end(): Promise<number | null> {
    const closed = once(this.child, 'close');
    this.child.stdin.end();
    const [code] = (await closed) as [number | null];
    return code;
  }
}
