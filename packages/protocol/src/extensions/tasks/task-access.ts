import type { Tool } from '../../define/tool.ts';
import type { ActiveCall } from '../../server/call/active-call.ts';

/** Who has access to a task. */
export type TaskAccess = {
  readonly principal?: string;
  /** The scopes that the tool of the task requires. */
  readonly requires?: readonly string[];
};

/** Who has access to the task that this call of a tool becomes. */
export function accessOf({ peer }: ActiveCall, { definition }: Tool<object>): TaskAccess {
  const { principal } = peer;
  const { requires } = definition;
  return { ...(principal !== undefined && { principal }), ...(requires && { requires }) };
}
