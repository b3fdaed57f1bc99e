import { messageOf } from '@mcp/kit';
import { viewsCapability } from '@mcp/views';
import type { FetchLayer } from '@mcp/protocol/client';
import type { SpawnedServer } from '@mcp/protocol/stdio';
import type { HttpTarget, ServerEntry } from '../config/entry/server-entry.ts';
import { maskSecretsOf } from '../config/entry/mask-secrets.ts';
import { HostError } from '../errors.ts';
import { checkAuthorization } from './check-authorization.ts';
import { checkCapabilities } from './check-capabilities.ts';
import { checkCard } from './check-card.ts';
import { checkCost } from './check-cost.ts';
import { checkEndOfStdin, checkSigterm } from './check-end.ts';
import { checkLimits } from './check-limits.ts';
import { checkLists } from './check-lists.ts';
import { checkMemory } from './check-memory.ts';
import { checkRevisions } from './check-revisions.ts';
import { checkSchemas } from './check-schemas.ts';
import { checkSkills } from './check-skills.ts';
import { checkStart } from './check-start.ts';
import { checkStdout } from './check-stdout.ts';
import { checkViews } from './check-views.ts';
import { type Finding, findingOf, findingsOf } from './finding.ts';
import { Session, type SessionOptions } from './session.ts';

export interface ExamineOptions {
  /** Milliseconds that each start, request and end may take. */
  readonly limitMs: number;
  readonly authorize: ((target: HttpTarget) => FetchLayer) | undefined;
  /** When it aborts, the examination ends and rejects. */
  readonly signal: AbortSignal;
}

/**
 * Starts a server twice, and once for each revision, and checks it; `report` gets each finding. If the server
 * does not answer within `limitMs`, this is a fault. Rejects only when `signal` aborts.
 */
export async function examine(
  entry: ServerEntry,
  { limitMs, authorize, signal }: ExamineOptions,
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (...made: readonly (Finding | undefined)[]) => {
    for (const each of made) {
      // When the examination is aborted, later faults come from the abort and not from the server.
      if (!each || signal.aborted) continue;
      const mend = each.mend && maskSecretsOf(entry, each.mend);
      const shown = { ...each, message: maskSecretsOf(entry, each.message), ...(mend && { mend }) };
      findings.push(shown);
      report(shown);
    }
  };
  const sessions: Session[] = [];
  const common: SessionOptions = { limitMs, authorize, negotiations: new Map(), signal };
  const close = () => Promise.all(sessions.map((each) => each.close()));
  signal.addEventListener('abort', () => void close());
  const session = (options: Pick<SessionOptions, 'revision' | 'extensions'> = {}) => {
    signal.throwIfAborted();
    const next = new Session(entry, { ...common, ...options });
    sessions.push(next);
    return next;
  };
  const { target } = entry;
  if (target.kind === 'http')
    add(...(await guarded('authorization', () => checkAuthorization(target, limitMs))));
  const first = session();
  try {
    if (await opens(first, add, signal)) {
      if (target.kind === 'http') add(...(await guarded('card', () => checkCard(target, first, limitMs))));
      add(
        ...(await guarded('start', () =>
          connectedChecks(first, session({ extensions: viewsCapability }), { limitMs, signal, add }),
        )),
      );
      add(await checkRevisions((revision) => session({ revision })));
    } else if (first.spawned && isRunning(first.spawned)) {
      add(...(await checkEndOfStdin(first.spawned, limitMs)));
    }
    add(checkStdout(sessions));
  } finally {
    await close();
  }
  signal.throwIfAborted();
  return findings;
}

interface CheckOptions {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly add: (...made: readonly (Finding | undefined)[]) => void;
}

/** The checks that need a connection; the second session is that of a client that shows views. */
async function connectedChecks(
  first: Session,
  second: Session,
  { limitMs, signal, add }: CheckOptions,
): Promise<Finding[]> {
  add(...checkCapabilities(first));
  const { findings, tools, longestMs } = await checkLists(first);
  add(...findings, ...checkSchemas(tools), checkCost(tools));
  add(...(await guarded('skills', () => checkSkills(first, signal))));
  add(await checkMemory(first));
  if (first.spawned) add(...(await checkEndOfStdin(first.spawned, limitMs)));
  await second.open();
  add(checkStart(first, second), ...checkLimits(first, second, longestMs));
  add(...(await guarded('views', () => checkViews(second))));
  if (second.spawned) add(...(await checkSigterm(second.spawned, limitMs)));
  return [];
}

async function opens(
  session: Session,
  add: (finding: Finding) => void,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await session.open();
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HostError && error.phase === 'authorization') {
      const note = findingsOf('start').note('nothing else is checked without a login', { hint: error.hint });
      add({ ...note, ...(error.hint !== undefined && { mend: error.hint }) });
      return false;
    }
    const message = messageOf(error);
    const last = session.written.stderr.at(-1);
    const wrote =
      last === undefined || message.includes(last) ? '' : `; its last line on stderr was: ${last}`;
    const { mend = '' } = findingOf('start', error, 'start its command by hand, and see what it prints');
    add(findingsOf('start').fault(`${message}${wrote}`, mend));
    return false;
  }
}

function isRunning({ child }: SpawnedServer): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Returns the findings of a check; if the check itself fails, its error as a finding. */
async function guarded(check: Finding['check'], run: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await run();
  } catch (error) {
    return [findingOf(check, error, 'see what the server writes on stderr: --verbose prints it')];
  }
}
