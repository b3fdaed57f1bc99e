import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The resident memory of the processes of a server. */
export interface ResidentMemory {
  readonly rssBytes: number;
  readonly processes: number;
}

/** The resident memory of all processes in the process group `pid`, by `ps`, which Windows does not have. */
export async function residentMemory(pid: number): Promise<ResidentMemory> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=,rss=']);
  const kilobytes = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([group]) => group === pid)
    .map(([, rss = 0]) => rss);
  return { rssBytes: kilobytes.reduce((sum, each) => sum + each, 0) * 1024, processes: kilobytes.length };
}

/** Memory for display: `45 MB in 1 process`. */
export function memoryText({ rssBytes, processes }: ResidentMemory): string {
  return `${(rssBytes / 1e6).toFixed(0)} MB in ${processes} ${processes === 1 ? 'process' : 'processes'}`;
}
