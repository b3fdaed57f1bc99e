import { EventReader, type WireEvent } from '../../packages/protocol/test/http/events.ts';
import { Late, pause, waitFor } from './deadline.ts';
import { type Message, type RunContext, saysToRetry, textIn, textOfError } from './run-context.ts';

/** How long a call may take, with the replicas that die and Redis that comes back, in seconds. */
const callSeconds = 45;

/** What a client has of one call. */
interface Call {
  readonly id: number;
  readonly name: string;
  readonly to: number;
  readonly word: string;
  readonly messages: Message[];
  lastEventId: string | undefined;
}

/** A client of one session, of a revision up to 2025-11-25, with one stream and one call after the other. */
export class SessionClient {
  readonly #run: RunContext;
  readonly #version: string;
  #session = '';
  #lastId = 0;
  /** The number of notifications about the subscribed resource. */
  updates = 0;

  constructor(run: RunContext, version: string) {
    this.#run = run;
    this.#version = version;
  }

  get name(): string {
    return `${this.#version} session ${this.#session.slice(-8)}`;
  }

  /** Calls until the run has ended. */
  async work(): Promise<void> {
    await this.#begin();
    const listening = new AbortController();
    const stream = this.#listen(listening.signal);
    while (!this.#run.ended.aborted) await this.#callOnce();
    listening.abort();
    await waitFor(`the stream of ${this.name} to close`, 20, stream);
  }

  /** The session is still there, and the newest version answers in it. */
  async check(): Promise<void> {
    const { ledger, version } = this.#run;
    const params = { name: 'about', arguments: {} };
    const answer = await this.#retried('about', () =>
      this.#post({ id: ++this.#lastId, method: 'tools/call', params }),
    );
    const text = await answer.text();
    if (answer.status === 200 && text.includes(`"text":"${version()}"`)) ledger.count('sessions at the end');
    else ledger.violated(`${this.name}: at the end, status ${answer.status}: ${text}`);
  }

  async #begin(): Promise<void> {
    const params = {
      protocolVersion: this.#version,
      capabilities: { elicitation: {} },
      clientInfo: { name: 'destroyer', version: '1' },
    };
    const begun = await this.#retried('initialize', () =>
      this.#post({ id: 0, method: 'initialize', params }),
    );
    this.#session = begun.headers.get('mcp-session-id') ?? '';
    await begun.text();
    await this.#retried('initialized', () => this.#post({ method: 'notifications/initialized' }));
    const subscribe = { method: 'resources/subscribe', params: { uri: 'news:///today' } };
    await this.#retried('subscribe', () => this.#post({ id: ++this.#lastId, ...subscribe }));
    this.#run.ledger.count('sessions begun');
  }

  /** Keeps the stream for notifications open. */
  async #listen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const response = await this.#get(undefined, signal);
        if (response.status !== 200) {
          await response.text();
          await pause(100);
          continue;
        }
        this.#run.ledger.count('streams for notifications opened');
        const events = new EventReader(response);
        for (let message = await events.message(); message; message = await events.message())
          if (message['method'] === 'notifications/resources/updated') this.updates++;
      } catch (error) {
        if (!signal.aborted && !saysToRetry(textOfError(error)))
          this.#run.ledger.violated(`${this.name}: the stream for notifications: ${textOfError(error)}`);
      }
      if (!signal.aborted) await pause(50);
    }
  }

  async #callOnce(): Promise<void> {
    const { random, ledger } = this.#run;
    const names = this.#version === '2025-03-26' ? ['count', 'about'] : ['count', 'confirm', 'about'];
    const word = `w${random.between(0, 1e9)}`;
    const [name, to] = [random.pick(names), random.between(3, 60)];
    const call: Call = { id: ++this.#lastId, name, to, word, messages: [], lastEventId: undefined };
    const what = `${this.name}: the answer to ${name} (request ${call.id})`;
    ledger.count('calls');
    try {
      await waitFor(what, callSeconds, this.#finish(call));
    } catch (error) {
      const text = textOfError(error);
      if (error instanceof Late || !saysToRetry(text)) ledger.violated(`${what}: ${text}`);
      else ledger.count('calls to send again: connection lost, or refused');
    }
  }

  /** Sends a call, and resumes its stream until the answer is there. */
  async #finish(call: Call): Promise<void> {
    const { id, name, to } = call;
    const params = { name, arguments: name === 'count' ? { to } : {}, _meta: { progressToken: id } };
    const response = await this.#post({ id, method: 'tools/call', params });
    this.#refuseLostSession(response);
    if (response.headers.get('content-type') === 'application/json' || response.status !== 200) {
      const text = await response.text();
      if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${text}`);
      call.messages.push(JSON.parse(text) as Message);
      return this.#judge(call);
    }
    let lost = await this.#read(response, call);
    while (lost) {
      if (call.lastEventId === undefined) throw lost;
      this.#run.ledger.count('streams resumed');
      const resumed = await this.#retried('resume', () => this.#get(call.lastEventId));
      // What Redis has stored must be here: the rest may be lost with its process.
      if (resumed.status === 400) await this.#compareStored(call);
      if (resumed.status !== 200)
        throw new Error(`Status ${resumed.status} after ${call.lastEventId}: ${await resumed.text()}`);
      lost = await this.#read(resumed, call);
      if (lost) await pause(50);
    }
    await this.#compareStored(call);
    this.#judge(call);
  }

  /** Reads a stream to the answer; returns the error if it is lost before. */
  async #read(response: Response, call: Call): Promise<Error | undefined> {
    const events = new EventReader(response);
    try {
      for (let event = await events.next(); event; event = await events.next()) {
        if (event.id !== undefined) call.lastEventId = event.id;
        const message = messageIn(event);
        if (!message) continue;
        call.messages.push(message);
        if (message.method === 'elicitation/create') void this.#answer(message, call).catch(() => undefined);
        if (message.id === call.id && message.method === undefined) return undefined;
      }
      return new Error('The stream ended before its answer: terminated');
    } catch (error) {
      return error as Error;
    }
  }

  /** Answers a question after a moment, at any replica. */
  async #answer({ id }: Message, { word }: Call): Promise<void> {
    const { ledger, random } = this.#run;
    ledger.count('questions');
    await pause(random.between(0, 500));
    const result = { action: 'accept', content: { word } };
    const response = await this.#retried('answer', () => this.#post({ id, result }));
    // 400: the process that asked has ended, and its call with it.
    ledger.count(response.status === 202 ? 'questions answered' : 'answers to ended questions');
  }

  #judge({ id, name, to, word, messages }: Call): void {
    const { ledger } = this.#run;
    const last = messages.at(-1)!;
    const steps = messages.flatMap(({ method, params }) =>
      method === 'notifications/progress' ? [Number(params?.['progress'])] : [],
    );
    const what = `${this.name}: ${name} (request ${id})`;
    ledger.count('progress messages', steps.length);
    if (steps.some((step, index) => step !== index + 1))
      ledger.violated(`${what}: progress is ${steps.join(' ')}`);
    if (last.error) {
      if (saysToRetry(last.error.message)) ledger.count('calls to send again: told by an error');
      else ledger.violated(`${what}: ${last.error.message}`);
      return;
    }
    const expected = { count: `Counted to ${to}`, confirm: `The word is ${word}`, about: textIn(last) }[name];
    if (textIn(last) !== expected) ledger.violated(`${what}: got ${JSON.stringify(last)}`);
    if (name === 'count' && steps.length !== to) ledger.violated(`${what}: ${steps.length} of ${to} steps`);
    ledger.count('calls answered');
  }

  /** What Redis has of the stream must be what the client has, each message once. */
  async #compareStored({ lastEventId = '', messages, name, id }: Call): Promise<void> {
    const { store, streamsEndingWith, ledger } = this.#run;
    const end = lastEventId.slice(0, lastEventId.lastIndexOf('-'));
    const texts = await this.#retriedStore(async () => {
      const [stream] = await streamsEndingWith(`:${end}`);
      return stream === undefined ? undefined : await store.streams.after(stream, 1);
    });
    if (!texts) return;
    const stored = texts.map(({ text }) => text).filter((text) => text !== '');
    const got = messages.map((message) => JSON.stringify(message));
    const missing = stored.filter((text) => !got.includes(JSON.stringify(JSON.parse(text))));
    ledger.count('stored messages compared', stored.length);
    if (missing.length > 0 || new Set(got).size !== got.length)
      ledger.violated(
        `${this.name}: ${name} (request ${id}): lost ${missing.join(', ')} of ${got.join(', ')}`,
      );
  }

  async #retriedStore<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === 100) throw error;
        await pause(200);
      }
    }
  }

  /** The response to a request that is sent again while it is refused or fails as long as it may. */
  async #retried(what: string, send: () => Promise<Response>): Promise<Response> {
    const until = performance.now() + 30_000;
    for (;;) {
      try {
        const response = await send();
        this.#refuseLostSession(response);
        if (![502, 503, 504].includes(response.status)) return response;
        await response.body?.cancel();
      } catch (error) {
        if (!saysToRetry(textOfError(error))) throw error;
      }
      if (performance.now() > until) throw new Late(`Tried ${what} of ${this.name} for 30 s`);
      await pause(100);
    }
  }

  #refuseLostSession({ status }: Response): void {
    if (status === 404) throw new Error('the session was dropped');
  }

  #post(message: object): Promise<Response> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return waitFor(
      `the headers of a reply to ${body.slice(0, 100)}`,
      30,
      fetch(this.#run.url, { method: 'POST', headers, body }),
    );
  }

  #get(lastEventId: string | undefined, signal: AbortSignal | null = null): Promise<Response> {
    const headers = { ...this.#headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
    const opened = fetch(this.#run.url, { headers, signal });
    return waitFor(`the headers of a GET after ${lastEventId}`, 30, opened);
  }

  get #headers(): { readonly [name: string]: string } {
    const session = { 'mcp-session-id': this.#session, 'mcp-protocol-version': this.#version };
    return { accept: 'application/json, text/event-stream', ...(this.#session !== '' && session) };
  }
}

function messageIn({ data }: WireEvent): Message | undefined {
  return data ? (JSON.parse(data) as Message) : undefined;
}
