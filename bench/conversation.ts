import { initialize, start } from './child.ts';
import type { Program } from './trial.ts';

/** A server with a conversation open, whose calls are answered one by one or many at once. */
export class Conversation {
  readonly process;
  readonly #waiting = new Map<number, PromiseWithResolvers<string>>();
  readonly #listening = new Map<string, () => void>();
  #rest: Buffer[] = [];
  #id = 0;

  constructor(program: Program, args: readonly string[]) {
    this.process = start({ ...program, args: [...program.args, ...args] });
    this.process.stdout.on('data', (chunk: Buffer) => this.#hear(chunk));
    this.process.stdout.once('end', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${program.args[0]} ended`));
    });
    // The calls of a process that has ended reject.
    this.process.stdin.on('error', () => {});
    this.process.stdin.write(initialize);
    this.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  async call(name: string, args: object): Promise<Result> {
    const { result } = JSON.parse(await this.request('tools/call', { name, arguments: args })) as Answer;
    if (!result || result.isError) throw new Error(`${name} failed: ${JSON.stringify(result)}`);
    return result;
  }

  /** Sends a request and returns the line of its answer. */
  request(method: string, params: object = {}): Promise<string> {
    const id = ++this.#id;
    const answer = Promise.withResolvers<string>();
    this.#waiting.set(id, answer);
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer.promise;
  }

  /** Resolves with the next notification whose line has this text. */
  notified(text: string): Promise<void> {
    const heard = Promise.withResolvers<void>();
    this.#listening.set(text, heard.resolve);
    return heard.promise;
  }

  #hear(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(start, end)]).toString();
      this.#rest = [];
      start = end + 1;
      const id = Number(/^\{"jsonrpc":"2.0","id":(\d+)/.exec(line)?.[1] ?? (JSON.parse(line) as Answer).id);
      this.#waiting.get(id)?.resolve(line);
      this.#waiting.delete(id);
      if (id > 0) continue;
      for (const [text, heard] of this.#listening) if (line.includes(text)) heard();
    }
    this.#rest.push(chunk.subarray(start));
  }
}

interface Answer {
  readonly id?: number;
  readonly result?: Result;
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
}
