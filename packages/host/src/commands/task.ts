import { abortable } from '@mcp/kit';
import { ClientError } from '@mcp/protocol/client';
import type { Command, CommandInput } from '../command-line/command.ts';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { serverFirst } from '../command-line/target.ts';
import { exitCodes, usageError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';
import { showToolResult } from '../views/show-result.ts';
import { awaitEnd } from '../tasks/await-end.ts';
import { followTask } from '../tasks/follow-task.ts';
import { type ServerTasks, type TaskInfo, taskText, type ToolResult } from '../tasks/server-tasks.ts';
import { tasksOf } from '../tasks/tasks-of.ts';
import { TaskRecords, taskServer } from './task/task-records.ts';

const verbs = ['list', 'get', 'result', 'follow', 'cancel'] as const;

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
    const { tasks, taskId, input } = given;
    const { signal } = input;
    return showEnd(given, await abortable(awaitEnd(tasks, taskId, { signal, lost: lostOf(given) }), signal));
  },

  async follow(given) {
    const { input, tasks, taskId } = given;
    const { output, signal } = input;
    const onState = (state: TaskInfo) => {
      if (output.json) output.jsonLine(state);
      else output.foreign(taskText(state));
    };
    return showEnd(given, await followTask(tasks, taskId, { signal, lost: lostOf(given), onState }));
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

/** Says that the server cannot be reached for now. */
function lostOf({ input: { output }, server }: TaskInput): (error: Error) => void {
  return ({ message }) => output.warning(`${server} cannot be reached, and will be tried again: ${message}`);
}

function showEnd({ input, entry, taskId }: TaskInput, result: ToolResult): Promise<number> {
  recordsOf(input).delete(taskServer(entry), taskId);
  return showToolResult(result, input, taskId);
}
