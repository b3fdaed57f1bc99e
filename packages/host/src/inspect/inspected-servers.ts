import { messageOf } from '@mcp/kit';
import { revisions } from '@mcp/protocol/client';
import { usageError } from '../errors.ts';
import type { Connection } from '../servers/connection.ts';
import { readList } from '../servers/lists.ts';
import type { Servers } from '../servers/servers.ts';
import { type Answer, answerTo } from '../testing/answer.ts';
import type { Call } from '../testing/call-file.ts';
import type { Questions } from './questions.ts';

/** What opens servers: the host, or a page that runs them itself. */
export type InspectedHost = Pick<Servers, 'lease' | 'shownTools'>;

export interface InspectedServersOptions {
  readonly servers: InspectedHost;
  readonly questions: Questions;
  readonly version: string;
  /** Called when a server has notified that a resource has changed. */
  readonly onUpdated: (server: string, uri: string) => void;
  /** Called when the connection to a server has ended. */
  readonly onClosed: (server: string) => void;
  readonly onProgress: (
    call: string,
    progress: { done: number; total?: number | undefined; message?: string | undefined },
  ) => void;
}

/** One open server, with what stops the watches of its resources. */
interface Open {
  readonly connection: Connection;
  readonly watches: Map<string, Promise<() => unknown>>;
}

/** The servers that the page has opened, each by one client whose questions the page answers. */
export class InspectedServers {
  readonly #options: InspectedServersOptions;
  readonly #open = new Map<string, Promise<Open>>();
  /** The calls in progress, by the name that the page has given them. */
  readonly #calls = new Map<string, AbortController>();
  /** The call that was answered last. */
  #last: { readonly id: string; readonly call: Call; readonly answer: Answer } | undefined;

  constructor(options: InspectedServersOptions) {
    this.#options = options;
  }

  /** Starts a server, at a revision, and describes it with its lists; ends it first if it runs. */
  async open(name: string, revision?: string): Promise<object> {
    if (revision !== undefined && !revisions.includes(revision))
      throw usageError(`Invalid revision: "${revision}"; expected ${revisions.join(', ')}`);
    // Another request to open it may come meanwhile: each one ends the server of the one before it.
    const ended = this.close(name);
    const opening = ended.then(() => this.#lease(name, revision));
    this.#open.set(name, opening);
    try {
      return await this.#describe(await opening);
    } catch (error) {
      if (this.#open.get(name) === opening) this.#open.delete(name);
      throw error;
    }
  }

  async close(name: string): Promise<void> {
    const opening = this.#open.get(name);
    this.#open.delete(name);
    await opening?.then(({ connection }) => connection.close()).catch(() => undefined);
  }

  /** Makes a call; `id` is the name by which it can be cancelled. */
  async call(name: string, id: string, call: Call): Promise<Answer> {
    const { client } = (await this.#get(name)).connection;
    const cancel = new AbortController();
    this.#calls.set(id, cancel);
    const onProgress = (done: number, total?: number, message?: string) =>
      this.#options.onProgress(id, { done, total, message });
    try {
      const options = { signal: cancel.signal, onProgress, maxTimeoutMs: 2 ** 31 - 1 };
      const answer = await answerTo(client, call, options);
      this.#last = { id, call, answer };
      return answer;
    } finally {
      this.#calls.delete(id);
    }
  }

  /** The last answer as a step of a file for `mcp test`. */
  async step(id: string): Promise<string> {
    if (this.#last?.id !== id) throw usageError('Another call was answered since then', 'call it again');
    const { call, answer } = this.#last;
    return (await import('../testing/step-text.ts')).stepText(call, answer);
  }

  cancel(id: string): void {
    this.#calls.get(id)?.abort(new Error('The call was cancelled'));
  }

  async watch(name: string, uri: string): Promise<void> {
    const { connection, watches } = await this.#get(name);
    const updated = () => this.#options.onUpdated(name, uri);
    const watch = watches.get(uri) ?? connection.client.subscribe(uri, updated);
    watches.set(uri, watch);
    await watch.catch((error: unknown) => {
      watches.delete(uri);
      throw error;
    });
  }

  async unwatch(name: string, uri: string): Promise<void> {
    const { watches } = await this.#get(name);
    const watch = watches.get(uri);
    watches.delete(uri);
    await (
      await watch
    )?.();
  }

  async #lease(name: string, revision: string | undefined): Promise<Open> {
    const { servers, questions, version, onClosed } = this.#options;
    const client = {
      name: 'mcp inspect',
      version,
      ...questions.handlersFor(name),
      ...(revision !== undefined && { revision }),
      onClose: () => onClosed(name),
    };
    return { connection: await servers.lease(name, { client }), watches: new Map() };
  }

  async #describe({ connection: { client, entry } }: Open): Promise<object> {
    const { revision, serverInfo, capabilities, instructions, declaredCapabilities } = client;
    const problems: string[] = [];
    const listed = async <K extends Parameters<typeof readList>[2]>(kind: K) =>
      readList(client, entry, kind, {}).catch((error: unknown) => {
        problems.push(messageOf(error));
        return [];
      });
    const [tools, resources, templates, prompts] = await Promise.all([
      listed('tools'),
      listed('resources'),
      listed('resourceTemplates'),
      listed('prompts'),
    ]);
    return {
      revision,
      serverInfo,
      capabilities,
      instructions,
      problems,
      tools: this.#options.servers.shownTools(entry, tools as never, declaredCapabilities),
      resources,
      templates,
      prompts,
    };
  }

  async #get(name: string): Promise<Open> {
    const opening = this.#open.get(name);
    if (!opening) throw usageError(`The server "${name}" is not open`, 'open it first');
    return opening;
  }
}
