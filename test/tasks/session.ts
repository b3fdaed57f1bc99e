import { Client, type CallToolResult } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import type { Contender } from './contender.ts';

/** What the calls of a task cost a model. */
export interface Cost {
  calls: number;
  /** Bytes of the names and arguments of the calls, as JSON. */
  sent: number;
  /** Bytes of the content and structured content of the results, as JSON. */
  received: number;
  /** Confirmations that the server requested; each is accepted. */
  questions: number;
}

/** A conversation with a server that counts its cost. */
export class Session implements AsyncDisposable {
  readonly #client: Client;
  readonly #cost: Cost;

  private constructor(client: Client, cost: Cost) {
    this.#client = client;
    this.#cost = cost;
  }

  /** Starts a contender in the directory of a task. */
  static async start(contender: Contender, world: string): Promise<Session> {
    const { args, env } = contender.start(world);
    const cost: Cost = { calls: 0, sent: 0, received: 0, questions: 0 };
    const server = serverCommand({ command: process.execPath, args: [...args], env: { ...env }, cwd: world });
    const client = await Client.connect(server, {
      elicit: () => {
        cost.questions++;
        return Promise.resolve({ action: 'accept', content: { confirm: true } });
      },
    });
    return new Session(client, cost);
  }

  get cost(): Readonly<Cost> {
    return this.#cost;
  }

  /** Calls a tool. Rejects when the tool reports an error. */
  async result(name: string, args: object = {}): Promise<CallToolResult> {
    const result = await this.#client.callTool(name, { ...args });
    const { content, structuredContent } = result;
    this.#count({ name, arguments: args }, { content, structuredContent });
    if (result.isError) throw new Error(`${name}: ${textOf(result)}`);
    return result;
  }

  /** Calls a tool and returns the text of its result. Rejects when the tool reports an error. */
  async call(name: string, args: object = {}): Promise<string> {
    return textOf(await this.result(name, args));
  }

  /** Reads a resource and returns its text. */
  async read(uri: string): Promise<string> {
    const { contents } = await this.#client.readResource(uri);
    this.#count({ uri }, { contents });
    return contents.map((each) => ('text' in each ? each.text : '')).join('\n');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.close();
  }

  #count(sent: object, received: object): void {
    this.#cost.calls++;
    this.#cost.sent += Buffer.byteLength(JSON.stringify(sent));
    this.#cost.received += Buffer.byteLength(JSON.stringify(received));
  }
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
