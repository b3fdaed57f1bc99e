import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { command, end, fail, Mcp, milliseconds, type NodeServer, say, styled, title } from './stage.ts';

/** How many servers the killed gateway has. */
const servers = 50;

const maxWaitMs = 30_000;
const intervalMs = 10;

/** A gateway that is killed with all its servers running. Each server tells the tour its process id. */
export async function showKilledGateway(server: NodeServer): Promise<void> {
  title(`The gateway of ${servers} servers is killed`);
  const processes: number[] = [];
  const counter = createServer((socket) => {
    void text(socket).then((id) => processes.push(Number(id)));
  }).listen(0, '127.0.0.1');
  await once(counter, 'listening');
  const port = String((counter.address() as AddressInfo).port);
  const entry = { ...server, args: [...server.args, port] };
  const names = Array.from({ length: servers }, (_, index) => [`server-${index + 1}`, entry]);
  const gateway = new Mcp('fifty', Object.fromEntries(names));
  const { child, url } = await gateway.serve();
  await gateway.show(['ping', url]);
  await until(() => processes.length >= servers, 'The servers have not started');
  say(`${processes.filter(isAlive).length} of ${servers} processes run`);
  command('kill -9 $!');
  const from = performance.now();
  await end(child, 'SIGKILL');
  await until(() => !processes.some(isAlive), 'Processes are left');
  const result = `${processes.filter(isAlive).length} of ${servers} processes left`;
  say(`${styled('bold', result)}, ${milliseconds(performance.now() - from)} later`);
  counter.close();
}

/** Waits for a condition; ends the tour if it has waited too long. */
async function until(isTrue: () => boolean, problem: string): Promise<void> {
  const end = performance.now() + maxWaitMs;
  while (!isTrue()) {
    if (performance.now() > end) fail(`${problem} after ${maxWaitMs / 1_000} s`);
    await setTimeout(intervalMs);
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    // In a container whose first process collects no others, one that has ended stays in the table.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${id}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
