import { spawnSync } from 'node:child_process';
import type { Place } from './place.ts';
import type { ProgramName } from './programs.ts';
import type { Start } from './results.ts';

const rounds = 3;
/** `times` of a shell counts in hundredths of a second, so several runs are counted together. */
const runs = 5;

interface StartCommands {
  readonly title: string;
  readonly commands: Readonly<Partial<Record<ProgramName, string>>>;
}

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
];

/** The processor time of the programs, as a multiple of that of `node -e 0`, measured in turn. */
export function measureStarts(place: Place): readonly Start[] {
  return starts.map(({ title, commands }) => {
    const entries = [['node', 'node -e 0'], ...Object.entries(commands)] as const;
    const seconds = new Map<string, number>();
    // The first round fills caches.
    for (let round = -1; round < rounds; round++) {
      for (const [name, command] of entries) {
        const used = processorSeconds(command, place);
        if (round >= 0) seconds.set(name, (seconds.get(name) ?? 0) + used);
      }
    }
    const ratios = Object.keys(commands).map((name) => [name, seconds.get(name)! / seconds.get('node')!]);
    return { title, ratios: Object.fromEntries(ratios) as Start['ratios'] };
  });
}

function processorSeconds(command: string, { project, env }: Place): number {
  const script = `for run in $(seq ${runs}); do ${command} > /dev/null 2>&1; done; times`;
  const { stdout } = spawnSync('sh', ['-c', script], { cwd: project, env, encoding: 'utf8' });
  // The second line is that of the commands: `0m0.150s 0m0.040s`.
  const [, ofCommands = ''] = stdout.split('\n');
  const parts = Array.from(ofCommands.matchAll(/(\d+)m([\d.]+)s/g), ([, minutes, rest]) => [minutes, rest]);
  return parts.reduce((sum, [minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
}
