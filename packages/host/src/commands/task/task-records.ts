import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ServerEntry } from '../../config/server-entry.ts';
import { JsonDirectory } from '../../json-directory.ts';

/** A task that this host has started. */
export interface TaskRecord {
  /** Which server has it: {@link taskServer}. */
  readonly server: string;
  readonly tool: string;
  readonly taskId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

const maxRecords = 500;

/** Keeps the ids of tasks: revision 2026-07-28 has no list of them, and an id is all that leads to a task. */
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
 * A server as its tasks know it: by its name, and its address or command line. Another server of the same
 * name knows none of its tasks; another token changes nothing.
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
  if (typeof value !== 'object' || value === null) return false;
  const { server, tool, taskId, startedAt } = value as Readonly<Record<string, unknown>>;
  return [server, tool, taskId].every((each) => typeof each === 'string') && typeof startedAt === 'number';
}
