import { isObject, messageOf } from '@mcp/kit';
import { revisions } from '@mcp/protocol/client';
import type { WireMessage } from '../servers/observed-connector.ts';
import type { Call } from '../testing/call-file.ts';
import { type InspectedHost, InspectedServers } from './inspected-servers.ts';
import { MessageLog } from './message-log.ts';
import { Questions } from './questions.ts';
import type { ViewFrames } from './view-frames.ts';

/** Sends one event to a page; false if the page must first take what it was sent. */
export type Listener = (event: object) => boolean;

/** What a page was told. */
interface Told {
  /** The number of the last message. */
  after: number;
  /** Whether the page must first take what it was sent: it gets no messages until then. */
  isFull: boolean;
}

export interface InspectorOptions {
  readonly servers: InspectedHost;
  /** The names of the servers that the page shows. */
  readonly names: readonly string[];
  readonly version: string;
  /** What else the page can find out about servers; undefined if it cannot. */
  readonly checks?: ServerChecks;
  /** Shows the views of tools; undefined for a page that shows none. */
  readonly views?: ViewFrames;
}

/** A server, at a revision or at the newest that it has. */
export interface ServerAt {
  readonly server: string;
  readonly revision?: string;
}

/** Examinations of servers, each with processes or connections of its own. */
export interface ServerChecks {
  /** The findings of `mcp doctor`. */
  examine(server: string): Promise<readonly object[]>;
  /** The differences that `mcp diff` prints. */
  compare(before: ServerAt, now: ServerAt): Promise<readonly object[]>;
}

/** Messages are sent together, at most once in this time and at most so many in one event. */
const batch = { afterMs: 30, size: 250 } as const;

/** What the page does, and what it is told: requests of `answer`, and events to the listeners. */
export class Inspector {
  readonly log = new MessageLog();
  readonly #options: InspectorOptions;
  readonly #listeners = new Map<Listener, Told>();
  readonly #servers: InspectedServers;
  readonly #questions = new Questions({
    asked: (question) => this.#tell({ event: 'question', question }),
    closed: (number) => this.#tell({ event: 'answered', number }),
  });
  #timer: NodeJS.Timeout | undefined;

  constructor(options: InspectorOptions) {
    this.#options = options;
    this.#servers = new InspectedServers({
      ...options,
      showsViews: options.views !== undefined,
      questions: this.#questions,
      onTask: (task) => this.#tell({ event: 'task', task }),
      onUpdated: (server, uri) => this.#tell({ event: 'updated', server, uri }),
      onClosed: (server) => this.#tell({ event: 'closed', server }),
      onProgress: (call, progress) =>
        this.#tell({ event: 'progress', call, ...progress }, { mayBeLost: true }),
    });
  }

  /** Takes a message of any server. */
  add(message: WireMessage): void {
    this.log.add(message);
    this.#timer ??= setTimeout(() => this.#flush(), batch.afterMs);
  }

  /**
   * Tells a page all messages after a number, the open questions, and then each event. `resume` continues
   * when the page has taken what it was sent.
   */
  listen(listener: Listener, after: number): { readonly resume: () => void; readonly stop: () => void } {
    const { names: servers, checks, version } = this.#options;
    listener({ event: 'servers', servers, revisions, checks: checks !== undefined, version });
    for (const question of this.#questions.open) listener({ event: 'question', question });
    for (const task of this.#servers.tasks.all) listener({ event: 'task', task });
    const told: Told = { after, isFull: false };
    this.#listeners.set(listener, told);
    this.#flush();
    return {
      resume: () => {
        told.isFull = false;
        this.#flush();
      },
      stop: () => void this.#listeners.delete(listener),
    };
  }

  /** Answers a request of the page: `{ result }` or `{ error }`. */
  async answer(request: unknown): Promise<object> {
    try {
      return { result: (await this.#run(isObject(request) ? request : {})) ?? null };
    } catch (error) {
      const hint = error instanceof Error && 'hint' in error ? error.hint : undefined;
      return { error: { message: messageOf(error), ...(typeof hint === 'string' && { hint }) } };
    }
  }

  async #run(request: { readonly [key: string]: unknown }): Promise<unknown> {
    const text = (key: string) => (typeof request[key] === 'string' ? request[key] : '');
    const server = text('server');
    if (server !== '' && !this.#options.names.includes(server))
      throw new Error(`There is no server "${server}"`);
    switch (request['do']) {
      case 'open':
        return this.#servers.open(server, request['revision'] === undefined ? undefined : text('revision'));
      case 'close':
        return this.#servers.close(server);
      case 'call':
        return this.#servers.call(server, text('id'), callOf(request['call']));
      case 'start-task': {
        const call = callOf(request['call']);
        if (!('tool' in call)) throw new Error('Only a call of a tool becomes a task');
        const { tool, arguments: args } = call;
        return this.#servers.tasks.start(await this.#servers.taskServer(server), tool, args);
      }
      case 'list-tasks':
        return this.#servers.tasks.list(await this.#servers.taskServer(server));
      case 'follow-task':
        return this.#servers.tasks.follow(await this.#servers.taskServer(server), text('task'));
      case 'cancel-task':
        return this.#servers.tasks.cancel(await this.#servers.taskServer(server), text('task'));
      case 'skill-file':
        return this.#servers.skillFile(server, text('skill'), text('uri'));
      case 'view':
        return this.#options.views?.add(await this.#servers.view(server, text('uri')));
      case 'view-call':
        return this.#servers.callOfView(server, text('id'), callOf(request['call']));
      case 'step':
        return this.#servers.step(text('id'));
      case 'cancel':
        return this.#servers.cancel(text('id'));
      case 'watch':
        return this.#servers.watch(server, text('uri'));
      case 'unwatch':
        return this.#servers.unwatch(server, text('uri'));
      case 'examine':
        return this.#options.checks?.examine(server);
      case 'compare':
        return this.#options.checks?.compare({ server }, this.#otherOf(server, text('with')));
      case 'answer':
        return this.#questions.answer(Number(request['number']), request['answer']);
      case 'message':
        return this.log.textOf(Number(request['number'])) ?? null;
      default:
        throw new Error(`Unknown request: "${text('do')}"`);
    }
  }

  /** What to compare a server with: another one, or `@revision` of its own. */
  #otherOf(server: string, other: string): ServerAt {
    const revision = revisions.find((each) => other === `@${each}`);
    if (revision !== undefined) return { server, revision };
    if (this.#options.names.includes(other)) return { server: other };
    throw new Error(`There is no server "${other}"`);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [listener, told] of this.#listeners) {
      const messages = told.isFull ? [] : this.log.after(told.after);
      for (let start = 0; start < messages.length && !told.isFull; start += batch.size) {
        const some = messages.slice(start, start + batch.size);
        told.isFull = !listener({ event: 'messages', messages: some });
        told.after = some.at(-1)!.number;
      }
    }
  }

  #tell(event: object, { mayBeLost = false } = {}): void {
    this.#flush();
    for (const [listener, told] of this.#listeners) if (!told.isFull || !mayBeLost) listener(event);
  }
}

function callOf(value: unknown): Call {
  if (isCall(value)) return value;
  throw new Error('"call" must be an object with "tool", "resource", "prompt" or "complete"');
}

function isCall(value: unknown): value is Call {
  return (
    isObject(value) &&
    ['tool', 'resource', 'prompt', 'complete'].some((key) => typeof value[key] === 'string')
  );
}
