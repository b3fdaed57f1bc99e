import { send } from './api.ts';
import { button, byId, cut, element, trouble } from './dom.ts';
import { formFor } from './form.ts';
import { textOf } from './text-of.ts';
import type { Json, Question } from './types.ts';

/** Maximum number of questions that are shown at a time: a server may ask thousands. */
const maxShown = 20;

/** Shows what servers ask, until it is answered. */
export class QuestionList {
  readonly #nodes = new Map<number, HTMLElement>();
  /** The questions for which there is no room yet, by their number. */
  readonly #waiting = new Map<number, Question>();

  ask(question: Question): void {
    if (this.#nodes.has(question.number)) return;
    if (this.#nodes.size >= maxShown) return void this.#waiting.set(question.number, question);
    this.#waiting.delete(question.number);
    const node = question.kind === 'sampling' ? samplingNode(question) : elicitationNode(question);
    this.#nodes.set(question.number, node);
    byId('questions').append(node);
    node.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
  }

  close(number: number): void {
    this.#nodes.get(number)?.remove();
    this.#nodes.delete(number);
    this.#waiting.delete(number);
    const [next] = this.#waiting.values();
    if (next) this.ask(next);
  }
}

function questionNode(
  { server, number }: Question,
  title: string,
  body: readonly Node[],
  answers: readonly Node[],
): HTMLElement {
  const heading = `question-${number}`;
  return element(
    'section',
    { class: 'question', 'aria-labelledby': heading },
    element('h2', { id: heading }, `${server} ${title}`),
    ...body,
    element('div', { class: 'actions' }, ...answers),
  );
}

function elicitationNode(question: Question): HTMLElement {
  const { number, params } = question;
  const schema = params['requestedSchema'] as Json | undefined;
  const form = schema && formFor(schema);
  const problems = element('div');
  const answer = (value: () => object) => () => {
    try {
      send({ do: 'answer', number, answer: value() }).catch((error: unknown) =>
        problems.replaceChildren(trouble(error)),
      );
    } catch (error) {
      problems.replaceChildren(trouble(error));
    }
  };
  const url =
    typeof params['url'] === 'string' ? element('p', {}, element('code', {}, params['url'])) : undefined;
  const body = [
    element('p', { dir: 'auto' }, cut(textOf(params['message']), 'description')),
    url,
    form?.node,
    problems,
  ];
  return questionNode(
    question,
    'asks',
    body.filter((each) => each !== undefined),
    [
      button(
        'Accept',
        answer(() => ({ action: 'accept', ...(form && { content: form.read() }) })),
        { class: 'primary' },
      ),
      button(
        'Decline',
        answer(() => ({ action: 'decline' })),
      ),
      button(
        'Cancel',
        answer(() => ({ action: 'cancel' })),
      ),
    ],
  );
}

function samplingNode(question: Question): HTMLElement {
  const { number, params } = question;
  const reply = element('textarea', { rows: 4, 'aria-label': 'The answer of the model' });
  const asked = element(
    'pre',
    { tabindex: 0, role: 'region', 'aria-label': 'The request' },
    JSON.stringify(params, null, 2),
  );
  return questionNode(
    question,
    'asks the model',
    [asked, reply],
    [
      button(
        'Send',
        () =>
          send({
            do: 'answer',
            number,
            answer: {
              role: 'assistant',
              model: 'mcp inspect',
              stopReason: 'endTurn',
              content: { type: 'text', text: reply.value },
            },
          }),
        { class: 'primary' },
      ),
      button('Refuse', () => send({ do: 'answer', number, answer: null })),
    ],
  );
}
