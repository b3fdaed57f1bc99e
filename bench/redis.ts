import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** A Redis server that keeps nothing on disk, for one measurement. */
export class Redis implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(): Promise<Redis> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(child.stdout)) if (line.includes('Ready to accept')) break;
    child.stdout.resume();
    return new Redis(`redis://127.0.0.1:${port}`, child);
  }

  /** The number of commands that this server has run, without those that ask for it. */
  async commands(): Promise<number> {
    const { stdout } = await promisify(execFile)('redis-cli', ['-u', this.url, 'INFO', 'commandstats']);
    const counts = stdout.matchAll(/^cmdstat_(?!info|hello|client)\S+?:calls=(\d+)/gm);
    return Array.from(counts, ([, calls]) => Number(calls)).reduce((sum, calls) => sum + calls, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
