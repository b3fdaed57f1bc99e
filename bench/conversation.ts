import { initialize, start } from './child.ts';
import type { Program } from './trial.ts';

/** A server with a conversation open, whose calls are answered one by one or many at once. */
export class Conversation {
  readonly process;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #rest: Buffer[] = [];
  #id = 0;

  constructor(program: Program, args: readonly string[]) {
    this.process = start({ ...program, args: [...program.args, ...args] });
    this.process.stdout.on('data', (chunk: Buffer) => this.#hear(chunk));
    this.process.stdout.once('end', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${program.args[0]} ended`));
    });
    this.process.stdin.write(initialize);
    this.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  async call(name: string, args: object): Promise<Result> {
    const id = ++this.#id;
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.set(id, answer);
    this.process.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`,
    );
    const { result } = await answer.promise;
    if (!result || result.isError) throw new Error(`${name} failed: ${JSON.stringify(result)}`);
    return result;
  }

  #hear(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(start, end)]).toString();
      this.#rest = [];
      start = end + 1;
      const message = JSON.parse(line) as Answer;
      if (message.id) this.#waiting.get(message.id)?.resolve(message);
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
