import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '@mcp/kit';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, note } = findingsOf('memory');

/** The resident memory of all processes in the server's process group, after its lists were read. */
export async function checkMemory({ spawned }: Session): Promise<Finding | undefined> {
  if (!spawned) return undefined;
  if (process.platform === 'win32') return note('is not measured on Windows');
  try {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=,rss=']);
    const kilobytes = stdout
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([group]) => group === spawned.child.pid)
      .map(([, rss = 0]) => rss);
    const rssBytes = kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
    const processes = kilobytes.length;
    const message = `${(rssBytes / 1e6).toFixed(0)} MB in ${processes} ${processes === 1 ? 'process' : 'processes'}`;
    return ok(message, { rssBytes, processes });
  } catch (error) {
    return note(`cannot be measured: ${messageOf(error)}`);
  }
}
