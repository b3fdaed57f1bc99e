import type { ErrorObject } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task as `tasks/get` returns it. */
export type DetailedTask = {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly inputRequests?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: ErrorObject;
};

export function isOver({ status }: DetailedTask): boolean {
  return status !== 'working' && status !== 'input_required';
}

/** The task after a change, without the members that belong to its former status. */
export function changed(
  { taskId, createdAt, ttlMs, pollIntervalMs }: DetailedTask,
  change: Pick<DetailedTask, 'status' | 'statusMessage' | 'inputRequests' | 'result' | 'error'>,
): DetailedTask {
  return { taskId, createdAt, ttlMs, pollIntervalMs, lastUpdatedAt: new Date().toISOString(), ...change };
}
