import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = join(import.meta.dirname, 'programs/serve-clock.ts');

/** The clock server as a process, which gets and sends lines. */
export class StdioServer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #revision: string;
  readonly #capabilities: object;

  private constructor(kind: string, revision: string, capabilities: object) {
    this.#process = spawn(process.execPath, ['--conditions=@mcp/source', program, kind]);
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
    this.#revision = revision;
    this.#capabilities = capabilities;
  }

  /** Starts the server and, where the revision has a handshake, finishes it. */
  static async start(kind: 'with' | 'without', revision: string, capabilities: object): Promise<StdioServer> {
    const server = new StdioServer(kind, revision, capabilities);
    if (revision >= '2026-07-28') return server;
    const clientInfo = { name: 'lines', version: '0' };
    await server.ask('initialize', { protocolVersion: revision, capabilities, clientInfo });
    server.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return server;
  }

  /** Sends a request, and returns the line with the answer. */
  async ask(method: string, params: object = {}): Promise<string> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': this.#revision,
      'io.modelcontextprotocol/clientCapabilities': this.#capabilities,
    };
    const isStateless = this.#revision >= '2026-07-28';
    this.#send({ jsonrpc: '2.0', id: 1, method, params: isStateless ? { ...params, _meta } : params });
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('The server has ended');
    return value;
  }

  #send(message: object): void {
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.stdin.end();
    await ended;
  }
}
