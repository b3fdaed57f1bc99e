import { Client } from './client.ts';
import type { Context } from './context.ts';
import { enter, replaceGlobals } from './globals.ts';
import { connectionNames } from './network.ts';
import type { Row } from './redis.ts';
import { Replica } from './replica.ts';
import type { Action, Schedule } from './schedule.ts';
import { stillHolds } from './settled.ts';
import { World } from './world.ts';

replaceGlobals();

/** How long everything may take after the last fault, in milliseconds. */
const patienceMs = 60_000;
/** The time after the last fault after which everything must be as if there had been none. */
const settleMs = 6_000;
const streamOfRequest = /:[0-9a-f]{8}-\d+$/;

/** Runs a schedule; returns the first sentence that does not hold, or undefined. */
export function simulate(schedule: Schedule, isTold = false): Outcome {
  return new Simulation(schedule, isTold).run();
}

export interface Outcome {
  readonly violation: string | undefined;
  /** What has happened, and the commands of all processes to Redis, if they were to be told. */
  readonly lines: readonly string[];
  readonly commands: readonly (readonly [command: readonly string[], reply: unknown])[];
}

/** Replicas with the code of production, their Redis, and clients, in one world. */
export class Simulation implements Context {
  readonly world: World;
  readonly replicas: readonly Replica[];
  readonly clients: readonly Client[];
  readonly tasks = new Map<string, string>();
  #violation: string | undefined;
  readonly #schedule: Schedule;
  readonly #commands: (readonly [command: readonly string[], reply: unknown])[] = [];
  /** What clients wait for. */
  readonly #open = new Set<string>();

  constructor(schedule: Schedule, isTold: boolean) {
    this.#schedule = schedule;
    const world = new World(schedule.seed, { isCalm: schedule.isCalm === true, isTold });
    this.world = world;
    enter(world);
    world.network.redis.stored = (stream, rows) => this.#stored(stream, rows);
    world.network.redis.told = (command, reply, by) => {
      world.tell(() => `${by}: ${command.join(' ').replaceAll('\n', ' ').slice(0, 200)}`);
      if (isTold) this.#commands.push([command, reply]);
    };
    this.replicas = Array.from({ length: schedule.replicas }, (_, index) => new Replica(world, `r${index}`));
    this.clients = Array.from({ length: schedule.clients }, (_, index) => new Client(this, index));
  }

  run(): Outcome {
    const { world } = this;
    const { actions } = this.#schedule;
    for (const action of actions) world.after(action.at, () => this.#begin(action));
    const ends = actions.map((action) => action.at + ('ms' in action ? action.ms : 0));
    const quietAt = Math.max(0, ...ends);
    const isOver = () => this.#isOver();
    const isDone = () => isOver() || (this.#open.size === 0 && world.now >= quietAt);
    world.run(quietAt, isOver);
    world.run(quietAt + patienceMs, isDone);
    if (!isDone()) this.violated(`${[...this.#open].join(' and ')}: no end within ${patienceMs} ms`);
    world.run(world.now + settleMs, isOver);
    if (!isOver()) this.#settle();
    return { violation: this.#violation, lines: world.lines ?? [], commands: this.#commands };
  }

  violated(what: string): void {
    this.#violation ??= what;
    this.world.tell(() => `VIOLATED: ${what}`);
  }

  anyReplica(): Replica {
    return this.world.random.pick(this.replicas);
  }

  storedAfter(eventId: string): number {
    const mark = eventId.lastIndexOf('-');
    const place = Number(eventId.slice(mark + 1));
    const rows = this.world.network.redis.rowsEndingWith(`:${eventId.slice(0, mark)}`);
    return rows?.[0]?.place === 1 ? rows.filter((row) => row.place > place).length : 0;
  }

  /** Called after each step. */
  #isOver(): boolean {
    const { mostClients } = this.world.network;
    if (mostClients > connectionNames.length)
      this.violated(`a process has ${mostClients} connections to Redis`);
    return this.#violation !== undefined;
  }

  /** What must hold when all faults are over. */
  #settle(): void {
    const { world } = this;
    const settled = { isOver: false };
    world.in(world.outside, () => {
      void stillHolds(this, this.clients).then(() => (settled.isOver = true));
    });
    const isOver = () => this.#isOver() || settled.isOver;
    world.run(world.now + patienceMs, isOver);
    if (!isOver()) this.violated('the replicas do not answer when all faults are over');
  }

  #begin(action: Action): void {
    this.world.tell(() => `---- ${JSON.stringify(action)}`);
    if ('client' in action) {
      const what = `${this.clients[action.client]!.name}: ${action.do} at ${action.at} ms`;
      this.#open.add(what);
      void this.clients[action.client]!.act(action).then(() => this.#open.delete(what));
    } else if (action.do === 'restart Redis') this.#restartRedis(action.ms);
    else this.#fail(action);
  }

  #restartRedis(ms: number): void {
    const { network } = this.world;
    for (const { process } of this.replicas) process.disturbedAt = this.world.now;
    network.stop();
    this.world.after(ms, () => (network.isUp = true));
  }

  #fail(action: Extract<Action, { readonly replica: number }>): void {
    const replica = this.replicas[action.replica]!;
    const { process } = replica;
    const { network, now } = this.world;
    process.disturbedAt = now;
    switch (action.do) {
      case 'kill':
        return replica.startAgain(300);
      case 'stop':
        return replica.stop();
      case 'pause':
        process.pausedUntil = now + action.ms;
        return;
      case 'cut':
        return network.clientOf(process, action.connection)?.cut();
      case 'silence':
        return network.clientOf(process, action.connection)?.silence(action.ms);
    }
  }

  /** One process alone writes the stream of a request; another one may end it when that one seems dead. */
  #stored(stream: string, rows: readonly Row[]): void {
    if (!streamOfRequest.test(stream)) return;
    const all = this.world.network.redis.rows(stream)!;
    const owner = all[0]!.by;
    for (const [index, { by, fields, place }] of all.entries()) {
      const isLast = fields.length > 2;
      // What the owner could not store may have reached the client: another process ends the stream after it.
      if (place !== index + 1 && !(isLast && by !== owner))
        this.violated(`a stream has place ${place} as number ${index + 1}`);
      if (isLast && index < all.length - 1) this.violated(`a stream goes on after its end: ${stream}`);
      if (by !== owner && !isLast) this.violated(`${by} writes to the stream of ${owner}`);
    }
    if (rows.at(-1)!.by !== owner && this.#isWell(owner))
      this.violated(`${rows.at(-1)!.by} takes ${owner} for dead, although it is well`);
  }

  #isWell(name: string): boolean {
    const process = this.replicas.find((replica) => replica.process.name === name)?.process;
    return process !== undefined && process.disturbedAt === -Infinity;
  }
}
