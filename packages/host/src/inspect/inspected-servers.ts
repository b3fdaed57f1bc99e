import { messageOf } from '@mcp/kit';
import { type ListedTool, revisions } from '@mcp/protocol/client';
import type { SkillEntry } from '@mcp/skills';
import { viewsCapability } from '@mcp/views';
import { usageError } from '../errors.ts';
import type { Connection } from '../servers/connection.ts';
import { readList } from '../servers/lists.ts';
import type { Servers } from '../servers/servers.ts';
import { hasTasks, tasksOf } from '../tasks/tasks-of.ts';
import { type Answer, answerTo } from '../testing/answer.ts';
import type { Call } from '../testing/call-file.ts';
import { isForViews } from '../view-of-tool.ts';
import { InspectedTasks, type ShownTask, type TaskServer } from './inspected-tasks.ts';
import type { Questions } from './questions.ts';
import { readFileOf, readSkills, shownSkill } from './read-skills.ts';
import type { ReadSkillFile } from './shown.ts';
import { type ReadView, readView } from './read-view.ts';

/** What opens servers: the host, or a page that runs them itself. */
export type InspectedHost = Pick<Servers, 'lease' | 'shownTools'>;

export interface InspectedServersOptions {
  readonly servers: InspectedHost;
  readonly questions: Questions;
  readonly version: string;
  /** Whether the page shows views. */
  readonly showsViews: boolean;
  /** Called when a server has notified that a resource has changed. */
  readonly onUpdated: (server: string, uri: string) => void;
  /** Called when the connection to a server has ended. */
  readonly onClosed: (server: string) => void;
  /** Called when a task was started, or has changed. */
  readonly onTask: (task: ShownTask) => void;
  readonly onProgress: (
    call: string,
    progress: { done: number; total?: number | undefined; message?: string | undefined },
  ) => void;
}

/** One open server, with what stops the watches of its resources. */
interface Open {
  readonly connection: Connection;
  readonly watches: Map<string, Promise<() => unknown>>;
  /** The tools that the page shows, as they were listed last. */
  tools: readonly ListedTool[];
  /** The skills, as they were listed last. */
  skills: readonly SkillEntry[];
  /** Aborted when the connection is closed. */
  readonly ended: AbortController;
}

/** The servers that the page has opened, each by one client whose questions the page answers. */
export class InspectedServers {
  readonly tasks: InspectedTasks;
  readonly #options: InspectedServersOptions;
  readonly #open = new Map<string, Promise<Open>>();
  /** The calls in progress, by the name that the page has given them. */
  readonly #calls = new Map<string, AbortController>();
  /** The call that was answered last. */
  #last: { readonly id: string; readonly call: Call; readonly answer: Answer } | undefined;

  constructor(options: InspectedServersOptions) {
    this.#options = options;
    this.tasks = new InspectedTasks(options.onTask);
  }

  /** Starts a server, at a revision, and describes it with its lists; ends it first if it runs. */
  async open(name: string, revision?: string): Promise<object> {
    if (revision !== undefined && !revisions.includes(revision))
      throw usageError(`Invalid revision: "${revision}"; expected ${revisions.join(', ')}`);
    // Another request to open it may come meanwhile: each one ends the server of the one before it.
    const ended = this.close(name);
    const opening = ended.then(() => this.#lease(name, revision));
    this.#open.set(name, opening);
    try {
      return await this.#describe(await opening);
    } catch (error) {
      if (this.#open.get(name) === opening) this.#open.delete(name);
      throw error;
    }
  }

  async close(name: string): Promise<void> {
    const opening = this.#open.get(name);
    this.#open.delete(name);
    const end = ({ connection, ended }: Open) => {
      ended.abort(new Error(`The server "${name}" was closed`));
      return connection.close();
    };
    await opening?.then(end).catch(() => undefined);
  }

  /** Makes a call; `id` is the name by which it can be cancelled. */
  async call(name: string, id: string, call: Call): Promise<Answer> {
    const answer = await this.#answer(name, id, call);
    this.#last = { id, call, answer };
    return answer;
  }

  /** Makes a call of a view; rejects for a tool that views may not call. */
  async callOfView(name: string, id: string, call: Call): Promise<Answer> {
    if ('tool' in call) {
      const tool = (await this.#get(name)).tools.find((each) => each.name === call.tool);
      if (!tool) throw new Error(`There is no tool "${call.tool}"`);
      if (!isForViews(tool))
        throw new Error(`Views may not call "${call.tool}": its "visibility" does not have "app"`);
    }
    return this.#answer(name, id, call);
  }

  /** An open server, for its tasks. */
  async taskServer(name: string): Promise<TaskServer> {
    const { connection, ended } = await this.#get(name);
    return { server: name, client: connection.client, signal: ended.signal };
  }

  /** Reads the view of a tool. */
  async view(name: string, uri: string): Promise<ReadView> {
    return readView((await this.#get(name)).connection.client, uri);
  }

  /** Reads a file of a listed skill. */
  async skillFile(name: string, skill: string, uri: string): Promise<ReadSkillFile> {
    const { connection, skills } = await this.#get(name);
    const entry = skills.find((each) => each.uri === skill);
    if (!entry) throw new Error(`There is no skill "${skill}"`);
    return readFileOf(connection.client, entry, uri);
  }

  async #answer(name: string, id: string, call: Call): Promise<Answer> {
    const { client } = (await this.#get(name)).connection;
    const cancel = new AbortController();
    this.#calls.set(id, cancel);
    const onProgress = (done: number, total?: number, message?: string) =>
      this.#options.onProgress(id, { done, total, message });
    try {
      const options = { signal: cancel.signal, onProgress, maxTimeoutMs: 2 ** 31 - 1 };
      return await answerTo(client, call, options);
    } finally {
      this.#calls.delete(id);
    }
  }

  /** The last answer as a step of a file for `mcp test`. */
  async step(id: string): Promise<string> {
    if (this.#last?.id !== id) throw usageError('Another call was answered since then', 'call it again');
    const { call, answer } = this.#last;
    return (await import('../testing/step-text.ts')).stepText(call, answer);
  }

  cancel(id: string): void {
    this.#calls.get(id)?.abort(new Error('The call was cancelled'));
  }

  async watch(name: string, uri: string): Promise<void> {
    const { connection, watches } = await this.#get(name);
    const updated = () => this.#options.onUpdated(name, uri);
    const watch = watches.get(uri) ?? connection.client.subscribe(uri, updated);
    watches.set(uri, watch);
    await watch.catch((error: unknown) => {
      watches.delete(uri);
      throw error;
    });
  }

  async unwatch(name: string, uri: string): Promise<void> {
    const { watches } = await this.#get(name);
    const watch = watches.get(uri);
    watches.delete(uri);
    await (
      await watch
    )?.();
  }

  async #lease(name: string, revision: string | undefined): Promise<Open> {
    const { servers, questions, version, showsViews, onClosed } = this.#options;
    const client = {
      name: 'mcp inspect',
      version,
      ...questions.handlersFor(name),
      ...(revision !== undefined && { revision }),
      ...(showsViews && { extensions: viewsCapability }),
      onClose: () => onClosed(name),
    };
    return {
      connection: await servers.lease(name, { client }),
      watches: new Map(),
      tools: [],
      skills: [],
      ended: new AbortController(),
    };
  }

  async #describe(open: Open): Promise<object> {
    const { client, entry } = open.connection;
    const { revision, serverInfo, capabilities, instructions } = client;
    const problems: string[] = [];
    const listed = async <K extends Parameters<typeof readList>[2]>(kind: K) =>
      readList(client, entry, kind, {}).catch((error: unknown) => {
        problems.push(messageOf(error));
        return [];
      });
    const [tools, resources, templates, prompts, { skills, refused }] = await Promise.all([
      listed('tools'),
      listed('resources'),
      listed('resourceTemplates'),
      listed('prompts'),
      readSkills(client).catch((error: unknown) => {
        problems.push(messageOf(error));
        return { skills: [], refused: [] };
      }),
    ]);
    for (const { uri, reason } of refused) problems.push(`The skill "${uri}" is refused: ${reason}`);
    open.skills = skills;
    open.tools = this.#options.servers.shownTools(entry, tools as never, client.declaredCapabilities);
    return {
      revision,
      serverInfo,
      capabilities,
      instructions,
      problems,
      tools: open.tools,
      taskTools: this.#taskTools(open),
      resources,
      templates,
      prompts,
      skills: skills.map(shownSkill),
    };
  }

  /** The names of the tools whose calls may be tasks. */
  #taskTools({ connection: { client, entry }, tools }: Open): readonly string[] {
    if (!hasTasks(client)) return [];
    const tasks = tasksOf(client, entry.name);
    return tools.filter((tool) => tasks.allows(tool)).map(({ name }) => name);
  }

  async #get(name: string): Promise<Open> {
    const opening = this.#open.get(name);
    if (!opening) throw usageError(`The server "${name}" is not open`, 'open it first');
    return opening;
  }
}
