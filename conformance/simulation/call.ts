import type { ServerEvent } from '../../packages/protocol/src/http/wire/event-stream.ts';
import type { Message } from '../destruction/run-context.ts';
import type { Exchange } from './exchange.ts';

/** Who gets what a call is told. */
interface Listener {
  /** Called with the id of a question. */
  readonly asked: (id: unknown) => void;
  /** Called with what must not have happened. */
  readonly violated: (what: string) => void;
}

/** A call on a stream of its own. */
export class Call {
  readonly id: number;
  /** The numbers of its progress so far. */
  readonly steps: number[] = [];
  lastEventId: string | undefined;
  answer: Message | undefined;
  readonly #listener: Listener;

  constructor(id: number, listener: Listener) {
    this.id = id;
    this.#listener = listener;
  }

  /** Reads a stream to the answer. Throws a `Lost`. */
  async read(exchange: Exchange): Promise<void> {
    for (let event = await exchange.next(); event; event = await exchange.next()) {
      this.#follow(event);
      if (event.data !== '') this.take(JSON.parse(event.data) as Message);
      if (this.answer) return exchange.cut();
    }
  }

  take(message: Message): void {
    const { method, params, id } = message;
    const { asked, violated } = this.#listener;
    if (method === 'elicitation/create') return asked(id);
    if (method === 'notifications/message' || method === 'notifications/cancelled') return;
    if (method === 'notifications/progress' && params?.['progressToken'] === this.id) {
      this.steps.push(Number(params['progress']));
      if (this.steps.at(-1) !== this.steps.length) violated(`gets the steps ${this.steps.join(' ')}`);
    } else if (method === undefined && id === this.id) this.answer = message;
    else violated(`gets what is not for request ${this.id}: ${JSON.stringify(message)}`);
  }

  /** The events of one stream have places without a gap. */
  #follow({ id }: ServerEvent): void {
    if (id === undefined) return;
    const [stream, place] = split(id);
    const [last, lastPlace] = split(this.lastEventId ?? `${stream}-${place - 1}`);
    if (stream !== last || place !== lastPlace + 1)
      this.#listener.violated(`gets event ${id} after ${this.lastEventId}`);
    this.lastEventId = id;
  }
}

/** The stream and the place of an event. */
function split(id: string): readonly [string, number] {
  const mark = id.lastIndexOf('-');
  return [id.slice(0, mark), Number(id.slice(mark + 1))];
}
