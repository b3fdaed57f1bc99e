import { Random } from '../destruction/random.ts';
import { connectionNames, type ConnectionName } from './network.ts';

/** What a client does at a time, or what fails then; times are in milliseconds. */
export type Action = { readonly at: number } & (
  | { readonly do: 'count'; readonly client: number; readonly to: number; readonly everyMs: number }
  | { readonly do: 'confirm' | 'subscribe' | 'listen' | 'end'; readonly client: number }
  | { readonly do: 'set level'; readonly client: number; readonly level: string }
  | { readonly do: 'work'; readonly client: number; readonly ms: number }
  | { readonly do: 'hang up'; readonly client: number }
  | { readonly do: 'kill' | 'stop'; readonly replica: number }
  | { readonly do: 'pause'; readonly replica: number; readonly ms: number }
  | { readonly do: 'cut'; readonly replica: number; readonly connection: ConnectionName }
  | {
      readonly do: 'silence';
      readonly replica: number;
      readonly connection: ConnectionName;
      readonly ms: number;
    }
  | { readonly do: 'restart Redis'; readonly ms: number }
);

/** What happens in one world: with the seed of all that is left to chance. */
export interface Schedule {
  readonly seed: number;
  /** Whether each message travels for one millisecond. */
  readonly isCalm?: boolean;
  readonly replicas: number;
  readonly clients: number;
  readonly actions: readonly Action[];
}

/** When the last action begins, at most. */
const lastMs = 5_000;

export function scheduleOf(seed: number): Schedule {
  const random = new Random(seed);
  const replicas = random.between(2, 3);
  const clients = random.between(1, 2);
  const work = Array.from({ length: random.between(1, 6) }, () => clientAction(random, clients));
  const faults = Array.from({ length: random.between(0, 4) }, () => faultAction(random, replicas));
  return {
    seed,
    replicas,
    clients,
    actions: [...work, ...faults].toSorted((one, other) => one.at - other.at),
  };
}

function clientAction(random: Random, clients: number): Action {
  const base = { at: random.between(0, lastMs), client: random.between(0, clients - 1) };
  const dice = random.between(0, 99);
  if (dice < 35)
    return { ...base, do: 'count', to: random.between(1, 6), everyMs: random.pick([1, 20, 300]) };
  if (dice < 45) return { ...base, do: 'confirm' };
  if (dice < 58) return { ...base, do: 'work', ms: random.pick([50, 1_000, 3_000]) };
  if (dice < 68) return { ...base, do: 'set level', level: random.pick(['debug', 'warning', 'error']) };
  if (dice < 78) return { ...base, do: 'subscribe' };
  if (dice < 88) return { ...base, do: 'listen' };
  return { ...base, do: dice < 93 ? 'end' : 'hang up' };
}

function faultAction(random: Random, replicas: number): Action {
  const base = { at: random.between(0, lastMs), replica: random.between(0, replicas - 1) };
  const dice = random.between(0, 99);
  const connection = random.pick(connectionNames);
  if (dice < 25) return { ...base, do: 'kill' };
  if (dice < 35) return { ...base, do: 'stop' };
  if (dice < 50) return { ...base, do: 'pause', ms: random.pick([100, 1_500, 6_000]) };
  if (dice < 75) return { ...base, do: 'cut', connection };
  if (dice < 90) return { ...base, do: 'silence', connection, ms: random.pick([300, 1_500, 12_000]) };
  return { at: base.at, do: 'restart Redis', ms: random.between(10, 2_000) };
}

/** A schedule as lines. */
export function linesOf({ seed, isCalm, replicas, clients, actions }: Schedule): readonly string[] {
  const chance = isCalm ? 'each message travels for 1 ms' : `chance is of seed ${seed}`;
  return [
    `${replicas} replicas, ${clients} clients; ${chance}`,
    ...actions.map(({ at, do: what, ...rest }) => {
      const details = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
      return `${String(at).padStart(7)} ms  ${[what, ...details].join(', ')}`;
    }),
  ];
}
