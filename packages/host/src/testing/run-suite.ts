import { messageOf } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import type { CommandInput } from '../command-line/command.ts';
import type { CallFile, ElicitAnswer } from './call-file.ts';
import { type Outcome, runCalls } from './run-calls.ts';
import type { Suite } from './reports/suite.ts';

export interface SuiteInput extends Pick<CommandInput, 'servers' | 'signal'> {
  readonly file: CallFile;
  readonly server: string;
  /** By default, the newest revision that both sides have. */
  readonly revision: string | undefined;
}

/** What a caller is told while a suite runs. */
export interface SuiteEvents {
  started(suite: Omit<Suite, 'outcomes'>): void;
  ended(outcome: Outcome): void;
}

/**
 * Starts a server for one file and makes its calls. A server that cannot be started, or speaks another
 * revision, is an outcome that has failed.
 */
export async function runSuite(
  { file, server, revision: wanted, servers, signal }: SuiteInput,
  events: SuiteEvents,
): Promise<Suite> {
  const outcomes: Outcome[] = [];
  const add = (outcome: Outcome) => {
    outcomes.push(outcome);
    events.ended(outcome);
  };
  const started = performance.now();
  let client: Client | undefined;
  let suite: Omit<Suite, 'outcomes'> = { file, server, revision: wanted };
  try {
    const answers: ElicitAnswer[] = [];
    const asks = file.steps.some((step) => step.answers.length > 0);
    const elicit = () => Promise.resolve(answers.shift() ?? ({ action: 'cancel' } as const));
    client = await servers.open(await servers.resolve(server), {
      revision: wanted,
      signal,
      // A server is told of a user only if the file has his answers.
      ...(asks && { client: { elicit, elicitsUrls: true } }),
    });
    suite = { ...suite, revision: wanted ?? client.revision };
    events.started(suite);
    if (client.revision === suite.revision) await runCalls(client, file, { signal, answers, report: add });
    else add(unconnected(`The server answered with the revision ${client.revision}`, started));
  } catch (error) {
    signal.throwIfAborted();
    if (!client) events.started(suite);
    add(unconnected(messageOf(error), started));
  } finally {
    await client?.close();
  }
  return { ...suite, outcomes };
}

function unconnected(message: string, started: number): Outcome {
  return {
    name: 'the server starts',
    path: [],
    ms: performance.now() - started,
    problems: [{ path: [], message }],
  };
}
