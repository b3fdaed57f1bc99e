import { messageOf } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import { followTask } from '../tasks/follow-task.ts';
import { isTerminal, type TaskInfo } from '../tasks/server-tasks.ts';
import { hasTasks, tasksOf } from '../tasks/tasks-of.ts';
import { type Answer, completeAnswer, toolParts } from '../testing/answer.ts';

/** A task, as the page shows it. */
export interface ShownTask {
  readonly server: string;
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string | undefined;
  /** The tool whose call has become the task; undefined for a task of another client. */
  readonly tool?: string | undefined;
  readonly isOver: boolean;
  /** What the task has ended with. */
  readonly answer?: Answer | undefined;
  /** Why it has no answer. */
  readonly trouble?: string | undefined;
}

/** A server whose tasks are meant, and the signal that its connection has ended. */
export interface TaskServer {
  readonly server: string;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Maximum number of tasks that are kept. */
const maxTasks = 500;

/** The tasks that the page has started, and those that servers list. */
export class InspectedTasks {
  readonly #changed: (task: ShownTask) => void;
  readonly #known = new Map<string, ShownTask>();
  readonly #followed = new Set<string>();

  constructor(changed: (task: ShownTask) => void) {
    this.#changed = changed;
  }

  get all(): readonly ShownTask[] {
    return [...this.#known.values()];
  }

  /** Calls a tool as a task; returns the task, or the answer of a server that has answered at once. */
  async start(at: TaskServer, tool: string, args: object): Promise<ShownTask | { readonly answer: Answer }> {
    const { server, client, signal } = at;
    const begun = performance.now();
    const started = await tasksOf(client, server).start(tool, { ...args }, { signal });
    if ('result' in started)
      return { answer: completeAnswer(toolParts(started.result), performance.now() - begun) };
    const task = this.#set(server, started.task, { tool });
    this.follow(at, task.taskId);
    return task;
  }

  /** Follows a task to its end: its questions are asked, and its changes are told. */
  follow(at: TaskServer, taskId: string): void {
    const { server, client, signal } = at;
    const key = keyOf(server, taskId);
    if (this.#followed.has(key)) return;
    this.#followed.add(key);
    const begun = performance.now();
    const onState = (state: TaskInfo) => void this.#set(server, state, { trouble: undefined });
    const lost = ({ message }: Error) => void this.#set(server, { taskId }, { trouble: message });
    const ended = followTask(tasksOf(client, server), taskId, { signal, lost, onState }).then(
      (result) => ({ answer: completeAnswer(toolParts(result), performance.now() - begun) }),
      (error: unknown) => ({ trouble: messageOf(error) }),
    );
    void ended.then((end) => {
      this.#followed.delete(key);
      this.#set(server, { taskId }, { trouble: undefined, ...end, isOver: true });
    });
  }

  async cancel({ server, client, signal }: TaskServer, taskId: string): Promise<void> {
    await tasksOf(client, server).cancel(taskId, { signal });
  }

  /** Tells the tasks that a server lists. */
  async list({ server, client, signal }: TaskServer): Promise<void> {
    const listed = hasTasks(client) ? await tasksOf(client, server).list({ signal }) : [];
    for (const task of listed ?? []) this.#set(server, task);
  }

  #set(
    server: string,
    task: Partial<TaskInfo> & { taskId: string },
    more: Partial<ShownTask> = {},
  ): ShownTask {
    const { taskId, status, statusMessage } = task;
    const key = keyOf(server, taskId);
    const before = this.#known.get(key) ?? { server, taskId, status: '', isOver: false };
    const state =
      status === undefined ? {} : { status, statusMessage, isOver: isTerminal({ taskId, status }) };
    const now = { ...before, ...state, ...more };
    this.#known.set(key, now);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxTasks) this.#known.delete(oldest!);
    this.#changed(now);
    return now;
  }
}

function keyOf(server: string, taskId: string): string {
  return JSON.stringify([server, taskId]);
}
