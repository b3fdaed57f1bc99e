import type { CommandInput } from '../../command-line/command.ts';
import type { Target } from '../../command-line/target.ts';
import { callError, exitCodes } from '../../errors.ts';
import { showToolResult } from '../../views/show-result.ts';
import type { ListedTool } from '@mcp/protocol/client';
import { TaskRecords, taskServer } from '../task/task-records.ts';
import { taskText } from '../../tasks/server-tasks.ts';
import { tasksOf } from '../../tasks/tasks-of.ts';
import { printedCommand } from '../../printed-command.ts';

/**
 * Calls a tool as a task. Prints and stores the id of the task, or prints the result if the server answers
 * without a task.
 */
export async function startTask(
  { server, name }: Target,
  tool: ListedTool,
  args: Readonly<Record<string, unknown>>,
  input: CommandInput,
): Promise<number> {
  const { servers, output, signal, directories } = input;
  return servers.use(server, async (client, entry) => {
    const tasks = tasksOf(client, server);
    if (!tasks.allows(tool))
      throw callError(
        server,
        `The tool "${name}" of "${server}" does not run as a task`,
        'call it without --task',
      );
    const started = await tasks.start(name, args, { signal });
    if ('result' in started) {
      output.note(`${server} has answered at once, without a task`);
      return showToolResult(started.result, input, name);
    }
    const { task } = started;
    new TaskRecords(directories.state, (message) => output.warning(message)).add({
      server: taskServer(entry),
      tool: name,
      taskId: task.taskId,
      startedAt: Date.now(),
    });
    if (output.json) output.value(task);
    else output.foreign(taskText(task));
    if (entry.target.kind === 'stdio' && !input.staysOpen)
      output.note(
        `${server} ends with this command, and its task may end with it; ${printedCommand('shell')} keeps both running`,
      );
    return exitCodes.ok;
  });
}
