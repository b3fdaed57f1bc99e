import type { Context } from './context.ts';
import { pause } from '../../packages/kit/src/index.ts';
import type { ServerEvent } from '../../packages/protocol/src/http/wire/event-stream.ts';
import { type Message, textIn } from '../destruction/run-context.ts';
import { Call } from './call.ts';
import { Lost, type Received } from './exchange.ts';
import { clientNames, type Replica } from './replica.ts';
import type { Action } from './schedule.ts';
import { Sender, version } from './sender.ts';
import { finishTask } from './task.ts';

const toldToRetry = /send the request again$/;

/** A session as its client knows it. */
interface Session {
  readonly id: string;
  /** The levels of log messages that it may have. */
  levels: string[];
  /** The levels of requests without an answer. */
  readonly doubtful: string[];
  isSubscribed: boolean;
  isListening: boolean;
  isOver: boolean;
}

/** A client of revision 2025-11-25, which sends each request to any replica. */
export class Client {
  readonly name: string;
  /** The ids of its sessions that have ended. */
  readonly ended: string[] = [];
  session: Session | undefined;
  /** The number of notifications about its resource. */
  updates = 0;
  readonly #context: Context;
  readonly #sender: Sender;
  #beginning: Promise<Session> | undefined;
  #settingLevel = Promise.resolve();
  #lastId = 0;

  constructor(context: Context, index: number) {
    this.#context = context;
    this.#sender = new Sender(context);
    this.name = clientNames[index]!;
  }

  async act(action: Action): Promise<void> {
    switch (action.do) {
      case 'count': {
        const { to, everyMs } = action;
        const { answer, steps } = await this.#call('count', { to, everyMs });
        if (answer?.result && (textIn(answer) !== `Counted to ${to}` || steps.length !== to))
          this.#violated(`has ${steps.length} of ${to} steps, and ${textIn(answer)}`);
        return;
      }
      case 'confirm': {
        const { answer } = await this.#call('confirm', {});
        if (answer?.result && textIn(answer) !== `The word is ${this.name}`)
          this.#violated(`gets the answer of another one: ${textIn(answer)}`);
        return;
      }
      case 'work':
        return finishTask(this.#context, `${this.name} ${action.at}`, action.ms);
      case 'set level':
        return (this.#settingLevel = this.#settingLevel.then(() => this.#setLevel(action.level)));
      case 'subscribe':
        return this.#subscribe();
      case 'listen':
        return void this.#listen(await this.#begun());
      case 'end':
        return this.#end();
      case 'hang up':
        this.#sender.hangUp();
    }
  }

  /** Sends a request in a session to a replica. Throws a `Lost`. */
  send(session: string, message: object, replica: Replica): Promise<Received> {
    return this.#sender.send({ session, method: 'POST', message, replica }).reply;
  }

  /** The number of log messages that a call gets at a replica. */
  async logged(session: string, params: object, replica: Replica): Promise<number> {
    const message = { id: ++this.#lastId, method: 'tools/call', params };
    const exchange = this.#sender.send({ session, method: 'POST', message, replica });
    const { status, text } = await exchange.reply;
    if (status !== 200) this.#violated(`is refused by ${replica.name} at the end: ${status} ${text}`);
    let count = 0;
    if (text === undefined)
      for (let event = await exchange.next(); event; event = await exchange.next())
        if (event.data.includes('notifications/message')) count++;
    return count;
  }

  async #begun(): Promise<Session> {
    this.#beginning ??= this.#begin();
    return (this.session = await this.#beginning);
  }

  async #begin(): Promise<Session> {
    const params = {
      protocolVersion: version,
      capabilities: { elicitation: {} },
      clientInfo: { name: this.name, version: '1' },
    };
    const { headers } = await this.#post(undefined, { id: 0, method: 'initialize', params });
    const id = headers['mcp-session-id']!;
    await this.#post(id, { method: 'notifications/initialized' });
    return { id, levels: ['none'], doubtful: [], isSubscribed: false, isListening: false, isOver: false };
  }

  async #setLevel(level: string): Promise<void> {
    const session = await this.#begun();
    // Until the answer is there, it has one or the other; without an answer, it may get the level later.
    session.levels.push(level);
    const message = { id: ++this.#lastId, method: 'logging/setLevel', params: { level } };
    const reply = await this.#sender
      .send({ session: session.id, method: 'POST', message })
      .reply.catch(() => undefined);
    if (hasResult(reply?.text)) session.levels = [level, ...session.doubtful];
    else session.doubtful.push(level);
    if (reply && reply.status !== 503) this.#refused(session, reply.status);
  }

  async #subscribe(): Promise<void> {
    const session = await this.#begun();
    const params = { uri: `news:///${this.name}` };
    const { status, text } = await this.#ask(session.id, 'resources/subscribe', params);
    if (hasResult(text)) session.isSubscribed = true;
    else this.#refused(session, status);
  }

  async #end(): Promise<void> {
    const session = await this.#begun();
    session.isOver = true;
    this.#beginning = undefined;
    this.session = undefined;
    await this.#sender.sendUntilAnswered(() => ({ session: session.id, method: 'DELETE' }));
    this.ended.push(session.id);
    this.#sender.hangUp();
  }

  /** Keeps the stream for notifications open. */
  async #listen(session: Session): Promise<void> {
    if (session.isListening) return;
    session.isListening = true;
    while (!session.isOver) {
      try {
        const exchange = this.#sender.send({ session: session.id, method: 'GET' });
        const { status } = await exchange.reply;
        if (status !== 200 && status !== 503) this.#refused(session, status);
        if (status === 200)
          for (let event = await exchange.next(); event; event = await exchange.next()) this.#notified(event);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
      }
      await pause(50);
    }
  }

  #notified({ data }: ServerEvent): void {
    if (data === '') return;
    const { method, params } = JSON.parse(data) as Message;
    if (method !== 'notifications/resources/updated') return;
    if (params?.['uri'] !== `news:///${this.name}`) this.#violated(`is told of ${String(params?.['uri'])}`);
    this.updates++;
  }

  async #call(name: string, given: object): Promise<Call> {
    const session = await this.#begun();
    const call = new Call(++this.#lastId, {
      asked: (id) => void this.#answer(id),
      violated: (what) => this.#violated(what),
    });
    const params = { name, arguments: given, _meta: { progressToken: call.id } };
    try {
      const message = { id: call.id, method: 'tools/call', params };
      const exchange = this.#sender.send({ session: session.id, method: 'POST', message });
      const { status, text } = await exchange.reply;
      if (status === 200 && text !== undefined) call.take(JSON.parse(text) as Message);
      else if (status === 200) await call.read(exchange);
      else if (status !== 503) this.#refused(session, status);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
    while (!call.answer && call.lastEventId !== undefined && !session.isOver)
      if (!(await this.#resume(session, call, call.lastEventId))) break;
    const failure = call.answer?.error?.message;
    if (failure !== undefined && !toldToRetry.test(failure)) this.#violated(`${name} fails: ${failure}`);
    return call;
  }

  /** Resumes the stream of a call; returns false if it must be sent again. */
  async #resume(session: Session, call: Call, lastEventId: string): Promise<boolean> {
    await pause(50);
    const stored = this.#context.storedAfter(lastEventId);
    try {
      const exchange = this.#sender.send({ session: session.id, method: 'GET', lastEventId });
      const { status } = await exchange.reply;
      if (status === 200) await call.read(exchange);
      else if (status === 400) {
        if (stored > 0) this.#violated(`cannot resume after ${lastEventId}: ${stored} messages are stored`);
        return false;
      } else if (status !== 503) this.#refused(session, status);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
    return true;
  }

  /** Answers a question, at any replica. */
  async #answer(id: unknown): Promise<void> {
    const session = await this.#begun();
    const result = { action: 'accept', content: { word: this.name } };
    await this.#post(session.id, { id, result });
  }

  #post(session: string | undefined, message: object): Promise<Received> {
    return this.#sender.sendUntilAnswered(() => ({ session, method: 'POST', message }));
  }

  /** Sends a request, each time with an id of its own: the one before may still be answered. */
  #ask(session: string, method: string, params: object): Promise<Received> {
    const message = () => ({ id: ++this.#lastId, method, params });
    return this.#sender.sendUntilAnswered(() => ({ session, method: 'POST', message: message() }));
  }

  #refused({ isOver }: Session, status: number): void {
    // A request that a process could not finish gets an error or an empty stream, with status 200.
    if (!isOver && status !== 200) this.#violated(`is refused in its session with status ${status}`);
  }

  #violated(what: string): void {
    this.#context.violated(`${this.name} ${what}`);
  }
}

function hasResult(text: string | undefined): boolean {
  return text?.includes('"result"') === true;
}
