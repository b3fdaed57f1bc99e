import { messageOf } from '@mcp/kit';
import { memoryText, residentMemory } from '../servers/resident-memory.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, note } = findingsOf('memory');

/** The resident memory of all processes in the server's process group, after its lists were read. */
export async function checkMemory({ spawned }: Session): Promise<Finding | undefined> {
  const pid = spawned?.child.pid;
  if (pid === undefined) return undefined;
  if (process.platform === 'win32') return note('is not measured on Windows');
  try {
    const memory = await residentMemory(pid);
    return ok(memoryText(memory), { ...memory });
  } catch (error) {
    return note(`cannot be measured: ${messageOf(error)}`);
  }
}
