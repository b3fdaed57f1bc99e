import { abortable, pause } from '@mcp/kit';
import { ClientError } from '@mcp/protocol/client';
import type { Command, CommandInput } from '../command-line/command.ts';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { serverFirst } from '../command-line/target.ts';
import { exitCodes, usageError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';
import { showToolResult } from '../views/show-result.ts';
import { awaitEnd } from './task/await-end.ts';
import {
  isTerminal,
  type ServerTasks,
  type TaskInfo,
  taskText,
  type ToolResult,
} from './task/server-tasks.ts';
import { TaskRecords, taskServer } from './task/task-records.ts';
import { tasksOf } from './task/tasks-of.ts';

const verbs = ['list', 'get', 'result', 'follow', 'cancel'] as const;

/** Milliseconds between two requests for the state of a followed task. */
const pollMs = 500;

/** The code of the JSON-RPC error with which a server answers for an unknown task. */
const invalidParams = -32602;

/** The input of a subcommand of `mcp task`, such as `get`. */
interface TaskInput {
  readonly input: CommandInput;
  readonly server: string;
  readonly entry: ServerEntry;
  readonly tasks: ServerTasks;
  readonly taskId: string;
}

export const task: Command = {
  name: 'task',
  usage: 'list <server> | get|result|follow|cancel <server> <task>',
  help: 'the tasks of a server: calls that continue after their response; follow prints each change, then the result',
  words: [verbs, 'server', 'any'],
  options: [
    {
      name: 'save',
      value: 'directory',
      help: 'writes images, sounds and files of the result into this directory',
    },
  ],
  async run(input) {
    const { positionals, servers } = input;
    const verb = verbs.find((each) => each === positionals[0]);
    const usage = ['task', 'list', '<server>'];
    const { server, rest } = serverFirst(positionals.slice(1), servers.names, ...usage);
    const [taskId = ''] = rest;
    if (verb === undefined || (verb !== 'list' && taskId === '')) {
      const others = printedCommand('task', '<verb>', '<server>', '<task>');
      throw usageError(
        `Expected: ${printedCommand(...usage)}, or ${others} with the verb get, result, follow or cancel`,
      );
    }
    return servers.use(server, async (client, entry) => {
      const tasks = tasksOf(client, server);
      return run[verb]({ input, server, entry, tasks, taskId });
    });
  },
};

const run: Readonly<Record<(typeof verbs)[number], (input: TaskInput) => Promise<number>>> = {
  async list({ input, server, entry, tasks }) {
    const { output, signal } = input;
    const found = (await tasks.list({ signal })) ?? (await recorded(input, entry, tasks));
    if (output.json) output.value({ tasks: found });
    else if (found.length === 0) output.foreign(`There are no tasks of ${server}.`);
    if (!output.json) for (const each of found) output.foreign(taskText(each));
    return exitCodes.ok;
  },

  async get({ input: { output, signal }, tasks, taskId }) {
    const state = await tasks.get(taskId, { signal });
    if (output.json) output.value(state);
    else output.foreign(taskText(state));
    return exitCodes.ok;
  },

  async result(given) {
    // An interrupt ends the wait, and leaves the task as it is.
    return showEnd(given, await abortable(endOf(given), given.input.signal));
  },

  async follow(given) {
    const { input, tasks, taskId } = given;
    const { output, signal } = input;
    const result = endOf(given);
    let isOver = false;
    const ended = result.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    for (let last = ''; !signal.aborted;) {
      const wasOver = isOver;
      const state = await tasks.get(taskId, { signal }).catch(() => undefined);
      if (state && taskText(state) !== last) {
        last = taskText(state);
        if (output.json) output.jsonLine(state);
        else output.foreign(last);
      }
      if (wasOver || (state && isTerminal(state))) break;
      await Promise.race([ended, pause(pollMs)]);
    }
    return showEnd(given, await abortable(result, signal));
  },

  async cancel({ input, entry, tasks, taskId }) {
    await tasks.cancel(taskId, { signal: input.signal });
    recordsOf(input).delete(taskServer(entry), taskId);
    input.output.note(`Cancelled ${taskId}`);
    return exitCodes.ok;
  },
};

function recordsOf({ directories, output }: CommandInput): TaskRecords {
  return new TaskRecords(directories.state, (message) => output.warning(message));
}

/**
 * The tasks that `mcp` has started on this server. Deletes the records of tasks that the server no longer
 * knows.
 */
async function recorded(input: CommandInput, entry: ServerEntry, tasks: ServerTasks): Promise<TaskInfo[]> {
  const records = recordsOf(input);
  const server = taskServer(entry);
  const states = await Promise.all(
    records.of(server).map(async ({ taskId, tool }) => {
      try {
        return [{ ...(await tasks.get(taskId, { signal: input.signal })), tool }];
      } catch (error) {
        // Only this code means that the server no longer knows the task.
        if (!(error instanceof ClientError) || error.code !== invalidParams) throw error;
        records.delete(server, taskId);
        return [];
      }
    }),
  );
  return states.flat();
}

function endOf({ input: { output, signal }, server, tasks, taskId }: TaskInput): Promise<ToolResult> {
  const lost = ({ message }: Error) =>
    output.warning(`${server} cannot be reached, and will be tried again: ${message}`);
  return awaitEnd(tasks, taskId, { signal, lost });
}

function showEnd({ input, entry, taskId }: TaskInput, result: ToolResult): Promise<number> {
  recordsOf(input).delete(taskServer(entry), taskId);
  return showToolResult(result, input, taskId);
}
