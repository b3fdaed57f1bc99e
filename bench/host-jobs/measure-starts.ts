import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { time } from '../measure.ts';
import type { Place } from './place.ts';
import type { ProgramName } from './programs.ts';
import type { Start } from './results.ts';

const rounds = 9;

interface StartCommands {
  readonly title: string;
  readonly commands: Readonly<Partial<Record<ProgramName, string>>>;
}

const call = '--method tools/call --tool-name echo --tool-arg message=hi';

const starts: readonly StartCommands[] = [
  {
    title: 'prints its version',
    commands: {
      mcp: 'mcp --version',
      mcporter: 'mcporter --version',
      mcpc: 'mcpc --version',
      Inspector: 'mcp-inspector --version',
    },
  },
  {
    title: 'lists the servers that it finds, and starts none',
    commands: {
      mcp: 'mcp list',
      mcporter: 'mcporter config list --source import',
      Inspector: 'mcp-inspector --cli -q --config ~/.cursor/mcp.json --method servers/list',
    },
  },
  {
    title: 'starts a server and calls a tool',
    commands: {
      mcp: 'mcp call everything.echo message=hi',
      mcporter: 'mcporter call everything.echo message=hi',
      mcpc: 'mcpc connect ~/.cursor/mcp.json:everything @s && mcpc @s tools-call echo message:=hi',
      Inspector: `mcp-inspector --cli -q --config ~/.cursor/mcp.json --server everything ${call}`,
    },
  },
];

/** How long the programs take, in turn with `node -e 0`: the ratio of the shortest times. */
export async function measureStarts(place: Place): Promise<readonly Start[]> {
  const found: Start[] = [];
  for (const { title, commands } of starts) {
    const entries = [['node', 'node -e 0'], ...Object.entries(commands)] as const;
    const times = new Map(entries.map(([name]) => [name, [] as number[]]));
    for (let round = -1; round < rounds; round++) {
      for (const [name, command] of entries) {
        const ms = await time(() => run(command, place));
        // The first round fills caches.
        if (round >= 0) times.get(name)!.push(ms);
        if (name === 'mcpc') await run('mcpc close @s', place);
      }
    }
    const bare = Math.min(...times.get('node')!);
    const ratios = Object.keys(commands).map((name) => [name, Math.min(...times.get(name)!) / bare]);
    found.push({ title, ratios: Object.fromEntries(ratios) as Start['ratios'] });
  }
  return found;
}

async function run(command: string, { project, env }: Place): Promise<void> {
  await once(spawn('sh', ['-c', command], { cwd: project, env, stdio: 'ignore' }), 'exit');
}
