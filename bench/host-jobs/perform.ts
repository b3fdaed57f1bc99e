import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Job, Performed } from './job.ts';
import type { Place } from './place.ts';

/** The longest time of a command. */
const limitMs = 30_000;

export interface Measured {
  /** What is wrong; undefined if the job is done. */
  readonly wrong: string | undefined;
  readonly ms: number;
  /** What the commands have printed. */
  readonly bytes: number;
}

/** Does a job with the commands of one program, and checks what came out. */
export async function perform(job: Job, commands: readonly string[], place: Place): Promise<Measured> {
  place.renew();
  let printed = '';
  let ms = 0;
  let last: Ran = { stdout: '', printed: '', code: 0, ms: 0 };
  try {
    for (const [index, command] of commands.entries()) {
      last = await run(command, place, index === commands.length - 1 ? job : undefined);
      printed += last.printed;
      ms += last.ms;
    }
    const performed = { ...last, printed, received: place.received(), project: place.project };
    return { wrong: wrongIn(job, performed), ms, bytes: Buffer.byteLength(printed) };
  } finally {
    endAll(commands, place);
  }
}

interface Ran {
  readonly stdout: string;
  readonly printed: string;
  readonly code: number;
  readonly ms: number;
}

async function run(command: string, { project, env }: Place, job: Job | undefined): Promise<Ran> {
  const started = performance.now();
  const words = job?.typed === undefined ? ['sh', '-c', command] : ['script', '-qefc', command, '/dev/null'];
  const child = spawn(words[0]!, words.slice(1), { cwd: project, env, stdio: 'pipe', detached: true });
  child.stdin.on('error', () => {}).end(job?.typed ?? '');
  let [stdout, printed, isChanged] = ['', '', job?.meanwhile === undefined];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (stream === child.stdout) stdout += text;
      printed += text;
      if (isChanged || !job?.meanwhile?.after.test(printed)) return;
      isChanged = true;
      spawn('sh', ['-c', job.meanwhile.command], { cwd: project, env, stdio: 'ignore' });
    });
  }
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limitMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { stdout, printed, code: code ?? -1, ms: performance.now() - started };
}

function wrongIn(job: Job, performed: Performed): string | undefined {
  try {
    job.check(performed);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Ends what the programs keep between commands, and deletes their logins. */
function endAll(commands: readonly string[], { project, env }: Place): void {
  const text = commands.join('\n');
  const sessions = new Set(text.match(/(?<=mcpc .*)@\w+/g));
  const ends = [
    ...(text.includes('mcp keep') ? ['mcp keep stop'] : []),
    ...(/lifecycle|KEEPALIVE/.test(text) ? ['MCPORTER_KEEPALIVE=* mcporter daemon stop'] : []),
    ...Array.from(sessions, (session) => `mcpc close ${session}`),
    ...(text.includes('$GREETER')
      ? ['rm -rf ~/.local/state/mcp/authorization ~/.mcporter ~/.mcpc ~/.mcp-inspector']
      : []),
  ];
  for (const command of ends) spawnSync('sh', ['-c', command], { cwd: project, env, stdio: 'ignore' });
}
