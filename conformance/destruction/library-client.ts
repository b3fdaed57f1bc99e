import { Client, serverAt } from '@mcp/protocol/client';
import { Late, pause, waitFor } from './deadline.ts';
import { type RunContext, saysToRetry, textOfError } from './run-context.ts';

/** The client of this library; it opens lost streams again. */
export class LibraryClient {
  readonly name: string;
  readonly #run: RunContext;
  readonly #revision: string;
  #client: Client | undefined;
  updates = 0;

  constructor(run: RunContext, revision: string) {
    this.#run = run;
    this.#revision = revision;
    this.name = `the client of @mcp/protocol at ${revision}`;
  }

  async work(): Promise<void> {
    const { ended, random, ledger } = this.#run;
    const client = await this.#again('connect', () => this.#connect());
    this.#client = client;
    await this.#again('subscribe', () => client.subscribe('news:///today', () => void this.updates++));
    const names = this.#revision === '2025-03-26' ? ['count', 'about'] : ['count', 'confirm', 'about'];
    while (!ended.aborted) {
      const name = random.pick(names);
      ledger.count('calls');
      try {
        const steps: number[] = [];
        const to = random.between(3, 40);
        const onProgress = (done: number) => void steps.push(done);
        const calling = client.callTool(name, name === 'count' ? { to } : {}, { onProgress });
        const { content, isError } = await waitFor(`${name} of ${this.name}`, 60, calling);
        if (isError) ledger.violated(`${this.name}: ${name} got ${JSON.stringify(content)}`);
        if (name === 'count' && steps.some((step, index) => step !== index + 1))
          ledger.violated(`${this.name}: progress is ${steps.join(' ')}`);
        ledger.count('calls answered');
      } catch (error) {
        const text = textOfError(error);
        if (error instanceof Late || !saysToRetry(text)) ledger.violated(`${this.name}: ${name}: ${text}`);
        else ledger.count('calls to send again: told by an error');
        await pause(50);
      }
    }
  }

  /** It still works, with the connection that it has. */
  async check(): Promise<void> {
    const { ledger, version } = this.#run;
    const client = this.#client!;
    const answer = await waitFor(`the last call of ${this.name}`, 45, client.callTool('about'));
    const [block] = answer.content;
    if (block && 'text' in block && block.text === version()) ledger.count('clients at the end');
    else ledger.violated(`${this.name}: at the end ${JSON.stringify(answer)}`);
    await waitFor(`${this.name} to close`, 20, client.close());
  }

  #connect(): Promise<Client> {
    return Client.connect(serverAt(this.#run.url), {
      revision: this.#revision,
      elicit: () => Promise.resolve({ action: 'accept' as const, content: { word: 'tea' } }),
      backoff: { minMs: 50, maxMs: 500 },
    });
  }

  async #again<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await waitFor(`${this.name} to ${what}`, 45, work());
      } catch (error) {
        if (attempt === 50 || error instanceof Late) throw error;
        await pause(200);
      }
    }
  }
}
