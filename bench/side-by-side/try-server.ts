import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Check, checks, type Session, startingLists } from './checks.ts';
import { clients, official } from './clients.ts';
import { folderOf, type Library } from './libraries.ts';
import { type Opening, type Revision, revisions } from './todo-client.ts';

/** The outcome of a check: `true`, or why it failed. */
export type Outcome = true | string;

/** The outcomes of one server in one revision, by the name of the check. */
export interface Trial {
  /** The revision that the server agreed to, with a message instead if there is none. */
  readonly agreed: string;
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

/** Runs all checks with the server of a library, in each revision, with each client. */
export async function tryServer(library: Library): Promise<Record<Revision, Trial>> {
  const trials: Partial<Record<Revision, Trial>> = {};
  for (const revision of revisions) trials[revision] = await tryRevision(library, revision);
  return trials as Record<Revision, Trial>;
}

async function tryRevision(library: Library, revision: Revision): Promise<Trial> {
  const agreed = await agree(library, revision);
  if (agreed instanceof Error) return { agreed: messageOf(agreed), outcomes: {} };
  const outcomes: Record<string, Outcome> = {};
  const waiting = [...checks];
  // Two at once: most of the time is spent in waiting for what does not come.
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift())
      outcomes[check.name] = await attempt(library, check, revision);
  };
  await Promise.all([work(), work()]);
  return { agreed, outcomes };
}

/** The revision that the server agrees to with the official client. */
async function agree(library: Library, revision: Revision): Promise<string | Error> {
  await using sessions = new Sessions(library, revision, official);
  try {
    return (await sessions.open()).client.revision;
  } catch (error) {
    return error as Error;
  }
}

async function attempt(library: Library, check: Check, revision: Revision): Promise<Outcome> {
  const failures = new Map<string, string>();
  for (const client of Object.keys(clients)) {
    await using sessions = new Sessions(library, revision, client);
    try {
      await check.run((answer) => sessions.open(answer));
    } catch (error) {
      failures.set(client, messageOf(error as Error));
    }
  }
  if (failures.size === 0) return true;
  const isSame = failures.size === Object.keys(clients).length && new Set(failures.values()).size === 1;
  if (isSame) return [...failures.values()][0]!;
  return Array.from(failures, ([client, message]) => `${message} (with ${client})`).join('; ');
}

/** The first line of a message, without the paths of this machine. */
const messageOf = ({ message }: Error) =>
  message.split('\n', 1)[0]!.replaceAll(/(?:\/[^\s:/]+)+\/(?:node|[\w.]+\.[jt]s):? /g, '');

/** Opens sessions, each with a process and lists of its own, and ends all of them. */
class Sessions implements AsyncDisposable {
  readonly #opening: Pick<Opening, 'program' | 'revision'>;
  readonly #client: string;
  readonly #ends: (() => Promise<unknown>)[] = [];

  constructor(library: Library, revision: Revision, client: string) {
    this.#opening = { program: join(folderOf(library), library.program), revision };
    this.#client = client;
  }

  async open(answer: Opening['answer'] = 'accept'): Promise<Session> {
    const directory = await mkdtemp(join(tmpdir(), 'side-by-side-'));
    this.#ends.push(() => rm(directory, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(startingLists))
      await writeFile(join(directory, `${name}.txt`), text);
    const questions: string[] = [];
    const client = await clients[this.#client]!({
      ...this.#opening,
      lists: directory,
      answer,
      asked: (question) => void questions.push(question),
    });
    this.#ends.push(() => client.close());
    return { client, directory, questions };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
  }
}
