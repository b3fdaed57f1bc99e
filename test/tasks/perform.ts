import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contender } from './contender.ts';
import { Session, type Cost } from './session.ts';
import type { Task, TaskSet } from './task.ts';

/**
 * Completes a task with our server in a new directory. Rejects when a call fails, and when the task is not
 * completed.
 */
export function performOurs({ ours }: TaskSet, task: Task): Promise<Cost> {
  return perform(ours, task, task.ours);
}

/** Completes a task with a peer; returns the reason when the peer cannot. */
export function performPeer(peer: Contender, task: Task): Promise<Cost> | string {
  const calls = task.peers[peer.name] ?? 'no calls are written for it';
  return typeof calls === 'string' ? calls : perform(peer, task, calls);
}

async function perform(contender: Contender, task: Task, calls: Task['ours']): Promise<Cost> {
  // A short name of fixed length: paths are part of the bytes.
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'task-')));
  try {
    const world = join(base, 'world');
    await task.world(world);
    await using session = await Session.start(contender, world);
    const answer = await calls(session, world);
    await task.verify(world, answer ?? undefined);
    return session.cost;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
