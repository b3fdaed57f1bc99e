import { send } from './api.ts';
import { button, cut, element, trouble } from './dom.ts';
import { answerNode } from './result.ts';
import type { Answer, ShownTask } from './types.ts';

/** A task with its state, which changes until its answer is there. */
export class TaskPart {
  readonly node = element('section', { class: 'task', 'aria-label': 'Task' });
  /** The answer of the task; undefined if it ends without one. */
  readonly ended: Promise<Answer | undefined>;
  readonly #end: (answer: Answer | undefined) => void;
  readonly #server: string;
  readonly #taskId: string;

  constructor(task: ShownTask) {
    const { server, taskId } = task;
    [this.#server, this.#taskId] = [server, taskId];
    ({ promise: this.ended, resolve: this.#end } = Promise.withResolvers<Answer | undefined>());
    this.update(task);
    if (!task.isOver)
      send({ do: 'follow-task', server, task: taskId }).catch((error: unknown) =>
        this.node.append(trouble(error)),
      );
  }

  /** Shows a change, if it is one of this task. */
  update({ server, taskId, status, statusMessage = '', isOver, answer, trouble: problem }: ShownTask): void {
    if (server !== this.#server || taskId !== this.#taskId) return;
    const cancel = button('Cancel the task', () =>
      send({ do: 'cancel-task', server, task: taskId }).catch((error: unknown) =>
        this.node.append(trouble(error)),
      ),
    );
    this.node.replaceChildren(
      element(
        'p',
        { class: 'marks' },
        element('span', {}, status || 'unknown'),
        element('span', {}, cut(taskId, 'name')),
        element('span', {}, cut(statusMessage, 'name')),
      ),
      ...(problem === undefined ? [] : [trouble(problem)]),
      ...(answer ? [answerNode(answer)] : []),
      ...(isOver ? [] : [cancel]),
    );
    if (answer || problem !== undefined) this.#end(answer);
  }
}
