import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '@mcp/kit';
import type { ServerEntry } from '../../config/entry/server-entry.ts';
import { JsonDirectory } from '../../json-directory.ts';

export interface TaskRecord {
  /** The server that runs the task, as {@link taskServer} returns it. */
  readonly server: string;
  readonly tool: string;
  readonly taskId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

const maxRecords = 500;

/**
 * The ids of the tasks that `mcp` has started: stored, because 2026-07-28 servers cannot list their tasks.
 */
export class TaskRecords {
  readonly #directory: JsonDirectory<TaskRecord>;

  constructor(stateDirectory: string, warn: (message: string) => void) {
    this.#directory = new JsonDirectory(join(stateDirectory, 'tasks'), {
      isValid: isTaskRecord,
      warn,
      maxEntries: maxRecords,
    });
  }

  /** The tasks of a server, the oldest first. */
  of(server: string): readonly TaskRecord[] {
    return this.#directory
      .entries()
      .map(([, record]) => record)
      .filter((record) => record.server === server)
      .toSorted((a, b) => a.startedAt - b.startedAt);
  }

  add(record: TaskRecord): void {
    this.#directory.set(keyOf(record.server, record.taskId), record);
  }

  delete(server: string, taskId: string): void {
    this.#directory.delete(keyOf(server, taskId));
  }
}

/**
 * The key of a server in the records: its name, and a hash of its address or command line. The same server
 * with another token in its environment or headers has the same key, a server elsewhere has another one.
 */
export function taskServer({ name, target }: ServerEntry): string {
  const place =
    target.kind === 'http' ? target.url : JSON.stringify([target.command, target.args, target.cwd]);
  return `${name} ${createHash('sha256').update(place).digest('hex').slice(0, 16)}`;
}

function keyOf(server: string, taskId: string): string {
  return JSON.stringify([server, taskId]);
}

function isTaskRecord(value: unknown): value is TaskRecord {
  if (!isObject(value)) return false;
  const { server, tool, taskId, startedAt } = value;
  return [server, tool, taskId].every((each) => typeof each === 'string') && typeof startedAt === 'number';
}
