import { EventReader } from '../../packages/protocol/test/http/events.ts';
import { headersOf } from '../../packages/protocol/test/http/http-wire.ts';
import { metaOf } from '../../packages/protocol/test/requirements/wire.ts';
import { Late, pause, waitFor } from './deadline.ts';
import { type Message, type RunContext, saysToRetry, textIn, textOfError } from './run-context.ts';

const capabilities = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A client of 2026-07-28: calls, questions, subscriptions and tasks. */
export class StatelessClient {
  readonly #run: RunContext;
  #lastId = 0;
  readonly #tasks = new Set<string>();
  updates = 0;

  constructor(run: RunContext) {
    this.#run = run;
  }

  readonly name = '2026-07-28';

  async work(): Promise<void> {
    const { ended, random, ledger } = this.#run;
    const listening = new AbortController();
    const stream = this.#listen(listening.signal);
    while (!ended.aborted) {
      const name = random.pick(['count', 'confirm', 'work', 'about']);
      ledger.count('calls');
      try {
        await waitFor(`the answer to ${name} of a client of 2026-07-28`, 45, this.#call(name));
      } catch (error) {
        const text = textOfError(error);
        if (error instanceof Late || !saysToRetry(text)) ledger.violated(`2026-07-28: ${name}: ${text}`);
        else ledger.count('calls to send again: connection lost, or refused');
        await pause(50);
      }
    }
    listening.abort();
    await waitFor('a stream of 2026-07-28 to close', 20, stream);
  }

  /** Each task that a client knows has ended, in one way or the other. */
  async check(): Promise<void> {
    const { ledger } = this.#run;
    for (const taskId of this.#tasks) {
      const until = performance.now() + 30_000;
      for (let status = await this.#statusOf(taskId); ; status = await this.#statusOf(taskId)) {
        if (['completed', 'failed'].includes(status)) {
          ledger.count(`tasks ${status}`);
          break;
        }
        if (status.startsWith('error') || performance.now() > until) {
          ledger.violated(`2026-07-28: a task is "${status}" at the end`);
          break;
        }
        await pause(100);
      }
    }
  }

  async #statusOf(taskId: string): Promise<string> {
    try {
      const { result, error } = await this.#ask('tasks/get', { taskId });
      if (result) return String(result['status']);
      return saysToRetry(error?.message ?? '') ? 'unknown yet' : `error: ${error?.message}`;
    } catch (error) {
      return saysToRetry(textOfError(error)) ? 'unknown yet' : `error: ${textOfError(error)}`;
    }
  }

  async #call(name: string): Promise<void> {
    const { random, ledger } = this.#run;
    const to = random.between(3, 40);
    const word = `w${random.between(0, 1e9)}`;
    const given = { name, arguments: name === 'count' ? { to } : {} };
    let answer = await this.#ask('tools/call', given);
    while (answer.result?.['resultType'] === 'input_required') {
      ledger.count('questions');
      await pause(random.between(0, 500));
      const { requestState, inputRequests } = answer.result;
      const keys = Object.keys(inputRequests as object);
      const accepted = { action: 'accept', content: { word } };
      const inputResponses = Object.fromEntries(keys.map((key) => [key, accepted]));
      answer = await this.#again({ ...given, requestState, inputResponses });
      ledger.count('questions answered');
    }
    if (answer.error) throw new Error(answer.error.message);
    const { taskId } = answer.result ?? {};
    if (typeof taskId === 'string') {
      this.#tasks.add(taskId);
      ledger.count('tasks begun');
      return;
    }
    const expected = { count: `Counted to ${to}`, confirm: `The word is ${word}` }[name] ?? textIn(answer);
    if (textIn(answer) !== expected) ledger.violated(`2026-07-28: ${name} got ${JSON.stringify(answer)}`);
    ledger.count('calls answered');
  }

  /** Sends a round again until a replica answers: its state must be good at each of them. */
  async #again(params: object): Promise<Message> {
    for (;;) {
      try {
        const answer = await this.#ask('tools/call', params);
        if (!answer.error || !saysToRetry(answer.error.message)) return answer;
      } catch (error) {
        if (!saysToRetry(textOfError(error))) throw error;
      }
      await pause(100);
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const params = { notifications: { resourceSubscriptions: ['news:///today'] } };
    while (!signal.aborted) {
      try {
        const response = await this.#post('subscriptions/listen', params, signal);
        if (response.status === 200) {
          this.#run.ledger.count('streams for notifications opened');
          // What has changed before is not known.
          this.updates++;
          const events = new EventReader(response);
          for (let message = await events.message(); message; message = await events.message())
            if (message['method'] === 'notifications/resources/updated') this.updates++;
        } else await response.text();
      } catch (error) {
        if (!signal.aborted && !saysToRetry(textOfError(error)))
          this.#run.ledger.violated(`2026-07-28: the stream of subscriptions: ${textOfError(error)}`);
      }
      if (!signal.aborted) await pause(50);
    }
  }

  /** The last message of a reply. */
  async #ask(method: string, params: object): Promise<Message> {
    const response = await this.#post(method, params);
    if (response.headers.get('content-type') === 'application/json')
      return (await response.json()) as Message;
    if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    let last: Message | undefined;
    const events = new EventReader(response);
    for (let message = await events.message(); message; message = await events.message()) last = message;
    if (!last || last.method !== undefined) throw new Error('The stream ended before its answer: terminated');
    return last;
  }

  #post(method: string, params: object, signal: AbortSignal | null = null): Promise<Response> {
    const _meta = { ...metaOf({ capabilities }), progressToken: this.#lastId };
    const message = { jsonrpc: '2.0', id: ++this.#lastId, method, params: { ...params, _meta } };
    const { taskId } = params as { readonly taskId?: string };
    const headers = { ...headersOf(message), ...(taskId !== undefined && { 'mcp-name': taskId }) };
    const sent = fetch(this.#run.url, { method: 'POST', headers, body: JSON.stringify(message), signal });
    return waitFor(`the headers of a reply to ${method}`, 30, sent);
  }
}
