import type { CallOptions, Client, ClientOptions } from '@mcp/protocol/client';
import type { ServerEntry } from '../config/server-entry.ts';
import type { Configuration, ConfiguredServer } from '../config/load.ts';
import { secretMask } from '../config/mask-secrets.ts';
import type { AskInput } from '../config/variables.ts';
import { exitCodes, HostError } from '../errors.ts';
import { fingerprint } from '../trust/fingerprint.ts';
import { readHere, type ReadHere } from '../trust/read-here.ts';
import type { Capabilities } from '../trust/capability-set.ts';
import type { PinnedTool } from '../trust/tool-changes.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { AcceptedTools, type AcceptedToolsOptions, type ToolReview } from './accepted-tools.ts';
import { assertShallow } from './assert-shallow.ts';
import { ConfiguredServers } from './configured-servers.ts';
import { connect, type ConnectOptions } from './connect.ts';
import { declaredCapabilities } from './declared-capabilities.ts';
import { hostErrorOf } from './host-error-of.ts';
import type { ListCache } from './list-cache.ts';
import { type Listed, type ListItems, type ListKind, readList } from './lists.ts';
import { type OpenServer, RunningServer } from './running-server.ts';
import { printedCommand } from '../printed-command.ts';

export type { OpenServer } from './running-server.ts';

/** A tool as a server lists it. */
export type ListedTool = ListItems['tools'];

/** The stores and callbacks of a host that its servers need. */
export interface ServersOptions extends Pick<ConnectOptions, 'authorize'>, AcceptedToolsOptions {
  /** The consents that were given, and the tools that were accepted. */
  readonly trust: TrustStore;
  /** Keeps the lists of servers for the next run; without it, nothing is kept. */
  readonly listCache?: ListCache | undefined;
  /** Ends the starts that are under way when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Options of a server's client, for example the questions that it may ask the user. */
  readonly clientOptions: (entry: ServerEntry) => ClientOptions;
  /**
   * Asks whether a server may be used: one of a project, or one whose start reads files in this directory.
   */
  readonly askConsent: (entry: ServerEntry, reads: ReadHere | undefined) => Promise<boolean>;
  /** Returns the values of the inputs in configurations of VS Code. */
  readonly askInput: AskInput;
  /** Called with each line that a server writes on stderr. */
  readonly stderr: (server: string, line: string) => void;
  /** Called when a server fails to start, or when a request to it fails. */
  readonly failed?: ((server: string) => void) | undefined;
}

export interface ListOptions extends CallOptions {
  /**
   * Milliseconds after which the cached list of a server that has not answered is returned;
   * no limit by default. With 0 no server is started, and a server without a cached list rejects.
   */
  readonly cachedAfterMs?: number | undefined;
}

/** The effect of a changed configuration on the servers, by name. */
export interface ConfigurationChanges {
  readonly added: readonly string[];
  /** Closed, or disabled before they were started. */
  readonly removed: readonly string[];
  /** Closed; the next use starts them as they are configured now. */
  readonly restarted: readonly string[];
  /** Still connected, with other filters or timeouts. */
  readonly adjusted: readonly string[];
}

/**
 * The servers of a host, each started when it is first needed and kept until the end. They share nothing:
 * a slow or broken one delays and fails its own callers only.
 */
export class Servers implements AsyncDisposable {
  readonly #options: ServersOptions;
  readonly #tools: AcceptedTools;
  readonly #running = new Map<string, RunningServer>();
  /** The entries of the connections that `connect` has opened, by name; their owners end them. */
  readonly #connected = new Map<string, Promise<ServerEntry>>();
  /** Servers that a new configuration has removed or replaced, until they have ended. */
  readonly #ending = new Map<string, Promise<void>>();
  #configured: ConfiguredServers;
  #isClosed = false;

  constructor(configured: readonly ConfiguredServer[], options: ServersOptions) {
    this.#configured = new ConfiguredServers(configured);
    this.#options = options;
    this.#tools = new AcceptedTools(options);
  }

  /** The names of the enabled servers. */
  get names(): string[] {
    return this.#configured.names;
  }

  /**
   * A server that is connected, the same one for all callers. A failure is not kept:
   * the next call tries again.
   */
  async open(name: string): Promise<OpenServer> {
    this.#assertOpen(name);
    return (this.#running.get(name) ?? this.#start(name)).opened;
  }

  /** Runs `work` with a connected server; rejects with a `HostError` that names it. */
  async use<T>(name: string, work: (client: Client, entry: ServerEntry) => Promise<T>): Promise<T> {
    const { client, entry } = await this.open(name);
    try {
      return await work(client, entry);
    } catch (error) {
      this.#options.failed?.(name);
      throw hostErrorOf(error, entry);
    }
  }

  /** The tools of a server that its filter shows and that are as they were accepted. */
  async tools(name: string, options: CallOptions = {}): Promise<ListedTool[]> {
    return [...(await this.list(name, 'tools', options)).items];
  }

  /**
   * A list of a server: as it gives it now, or from the cache, by `cachedAfterMs`.
   * Tools are those of `tools`.
   */
  async list<K extends ListKind>(
    name: string,
    kind: K,
    { cachedAfterMs = Infinity, ...options }: ListOptions = {},
  ): Promise<Listed<K>> {
    if (cachedAfterMs <= 0) {
      const cached = await this.#cachedList(name, kind);
      if (cached) return cached;
      throw notCached(name);
    }
    const live = this.#liveList(name, kind, options);
    if (cachedAfterMs === Infinity) return live;
    // It may fail after its caller has the cached list.
    live.catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), cachedAfterMs);
    });
    try {
      return (await Promise.race([live, late])) ?? (await this.#cachedList(name, kind)) ?? (await live);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * An enabled server, with its variables expanded. Rejects with a `HostError`, for example
   * for an unknown name.
   */
  async resolve(name: string): Promise<ServerEntry> {
    return this.#configured.get(name).resolve(this.#options.askInput);
  }

  /** Whether a server is connected or can be started without a question to the user. */
  async isReady(name: string): Promise<boolean> {
    if (this.#running.has(name)) return true;
    try {
      const entry = await this.#configured.get(name).resolve();
      return this.#options.trust.hasConsent(entry, readHere(entry, process.cwd()));
    } catch {
      return false;
    }
  }

  /** As `resolve`, for a caller that starts the server: rejects where the user does not agree to that. */
  async consented(name: string): Promise<ServerEntry> {
    const entry = await this.resolve(name);
    await this.#checkConsent(entry);
    return entry;
  }

  /**
   * A connection of its own, beside the one of `open`: for one client of a gateway. Its owner closes it,
   * also after a `reload` that has restarted or removed the server.
   */
  async connect(name: string, options: ClientOptions, signal: AbortSignal): Promise<OpenServer> {
    this.#assertOpen(name);
    const resolved = this.resolve(name);
    this.#connected.set(name, resolved);
    const entry = await resolved;
    return { entry, client: await this.#connect(entry, signal, options) };
  }

  /**
   * The tools of a list that the filter of a server shows and that are as they were accepted.
   * The server lists them to a client that declares `capabilities`.
   */
  shownTools<T extends PinnedTool>(
    entry: ServerEntry,
    tools: readonly T[],
    capabilities: Capabilities,
  ): readonly T[] {
    return this.#tools.shown(entry, tools, capabilities);
  }

  /** Forgets the cached lists of a server, which may be private to a login. */
  forgetLists(entry: ServerEntry): void {
    this.#options.listCache?.delete(entry);
  }

  /** The names of the withheld tools, as of the last list. */
  async withheldTools(name: string): Promise<readonly string[]> {
    const entry = await (this.#running.get(name)?.entry ?? this.#configured.get(name).resolve());
    return this.#options.trust.withheldNames(entry);
  }

  /** How the tools of a server, as it lists them now, have changed since they were accepted. */
  reviewTools(name: string): Promise<ToolReview> {
    return this.use(name, async (client, entry) =>
      this.#tools.review(entry, await client.listTools(), this.#declared(client, entry)),
    );
  }

  /**
   * Adopts a configuration that was read again. Servers whose entry is the same stay connected;
   * removed and changed ones are closed, in the background. A file that cannot be read keeps its servers.
   */
  async reload(configuration: Pick<Configuration, 'servers' | 'problems'>): Promise<ConfigurationChanges> {
    const before = this.#configured;
    const now = before.replacedBy(configuration);
    this.#configured = now;
    const removed = before.names.filter((name) => !now.has(name));
    for (const name of removed) {
      this.#end(name);
      this.#connected.delete(name);
    }
    const restarted = new Set<string>();
    const adjusted = new Set<string>();
    const add = (name: string, changed: 'settings' | 'entry') =>
      (changed === 'settings' ? adjusted : restarted).add(name);
    await Promise.all([
      ...[...this.#running].map(async ([name, running]) => {
        const { changed, entry } = await this.#compare(running.entry, now.get(name));
        // Another reload, or a failed start, may have ended it meanwhile.
        if (changed === 'nothing' || this.#running.get(name) !== running) return;
        if (changed === 'settings') running.adjust(entry);
        else this.#end(name);
        add(name, changed);
      }),
      ...[...this.#connected].map(async ([name, resolved]) => {
        const { changed, entry } = await this.#compare(resolved, now.get(name));
        if (changed === 'nothing') return;
        if (changed === 'settings') this.#connected.set(name, Promise.resolve(entry));
        else this.#connected.delete(name);
        add(name, changed);
      }),
    ]);
    const added = now.names.filter((name) => !before.has(name));
    return { added, removed, restarted: [...restarted], adjusted: [...adjusted] };
  }

  /** Ends every server, each within its own time; afterwards none can be started. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const name of this.#running.keys()) this.#end(name);
    await Promise.all(this.#ending.values());
  }

  #assertOpen(server: string): void {
    if (!this.#isClosed) return;
    throw new HostError('The servers are closed', {
      server,
      phase: 'spawn',
      exitCode: exitCodes.unreachable,
      hint: 'open them again',
    });
  }

  #start(name: string): RunningServer {
    const entry = this.#configured.get(name).resolve(this.#options.askInput);
    const running = new RunningServer(entry, (resolved, signal) => this.#connect(resolved, signal));
    this.#running.set(name, running);
    running.opened.catch(() => {
      if (this.#running.get(name) === running) this.#running.delete(name);
    });
    return running;
  }

  async #connect(entry: ServerEntry, signal: AbortSignal, options?: ClientOptions): Promise<Client> {
    const { clientOptions, authorize, stderr, signal: all = signal } = this.#options;
    const { name } = entry;
    const usual = clientOptions(entry);
    // A start that was cancelled before it began would wait for its own end below.
    signal.throwIfAborted();
    // Two processes of one server could share a file or a port.
    await this.#ending.get(name);
    await this.#checkConsent(entry);
    const shown = secretMask(entry);
    const connected = connect(entry, {
      authorize,
      signal: AbortSignal.any([signal, all]),
      client: options ? { ...(usual.verdicts && { verdicts: usual.verdicts }), ...options } : usual,
      stderr: (line) => stderr(name, shown(line)),
    });
    connected.catch(() => this.#options.failed?.(name));
    return connected;
  }

  async #checkConsent(entry: ServerEntry): Promise<void> {
    const { trust, askConsent } = this.#options;
    const reads = readHere(entry, process.cwd());
    if (trust.hasConsent(entry, reads)) return;
    if (!(await askConsent(entry, reads))) throw refused(entry, reads);
    trust.giveConsent(entry, reads);
  }

  #end(name: string): void {
    const running = this.#running.get(name);
    if (!running) return;
    this.#running.delete(name);
    const ending = Promise.all([this.#ending.get(name), running.stop()]).then(() => {
      if (this.#ending.get(name) === ending) this.#ending.delete(name);
    });
    this.#ending.set(name, ending);
  }

  /** What of a server that is in use a new configuration changes. */
  async #compare(used: Promise<ServerEntry>, configured: ConfiguredServer): Promise<Comparison> {
    const entries = [used, configured.resolve(this.#options.askInput)];
    // An entry that cannot be resolved any more fails the next use, with its reason.
    const [before, entry] = await Promise.all(entries).catch(() => []);
    if (!before || !entry || fingerprint(before) !== fingerprint(entry)) return { changed: 'entry' };
    return { changed: settingsOf(before) === settingsOf(entry) ? 'nothing' : 'settings', entry };
  }

  #liveList<K extends ListKind>(name: string, kind: K, options: CallOptions): Promise<Listed<K>> {
    return this.use(name, async (client, entry) => {
      const items = await readList(client, kind, options);
      const shown = kind === 'tools' ? this.shownTools(entry, items, this.#declared(client, entry)) : items;
      if (kind !== 'tools') assertShallow(name, kind, items);
      this.#options.listCache?.set(entry, kind, items);
      return { items: shown };
    });
  }

  async #cachedList<K extends ListKind>(name: string, kind: K): Promise<Listed<K> | undefined> {
    // No question for an input: the entry of a server that is running is known, others stay as they are.
    const entry = await (this.#running.get(name)?.entry ?? this.#configured.get(name).resolve());
    const cached = this.#options.listCache?.get(entry, kind);
    if (!cached || kind !== 'tools') return cached && { items: cached.items, cachedAt: cached.at };
    return { items: this.#tools.shownOfCache(entry, cached.items), cachedAt: cached.at };
  }

  #declared(client: Client, entry: ServerEntry): Capabilities {
    return declaredCapabilities(client, this.#options.clientOptions(entry));
  }
}

type Comparison =
  | { readonly changed: 'entry'; readonly entry?: undefined }
  | { readonly changed: 'nothing' | 'settings'; readonly entry: ServerEntry };

/** What of an entry a running server does not see. */
function settingsOf({ tools, startTimeoutMs, callTimeoutMs }: ServerEntry): string {
  return JSON.stringify({ tools, startTimeoutMs, callTimeoutMs });
}

function notCached(name: string): HostError {
  return new HostError(`There is no cached list of the server "${name}"`, {
    server: name,
    phase: 'configuration',
    exitCode: exitCodes.unreachable,
    hint: 'run the command once without --cached',
  });
}

function refused({ name, origin, scope }: ServerEntry, reads: ReadHere | undefined): HostError {
  const refusal = `The server "${name}" of "${origin?.file ?? 'this project'}" was not started: no consent`;
  // A host may show the message alone, and may have no terminal.
  const remedy = `to agree once, run ${printedCommand('--yes', 'ping', name)} in "${process.cwd()}"`;
  const options = { server: name, phase: 'consent', exitCode: exitCodes.refused } as const;
  if (scope === 'project' || !reads) {
    const hint = `${printedCommand('config', 'explain', name)} shows what would be started`;
    return new HostError(`${refusal}; ${remedy}`, { ...options, hint });
  }
  const paths = reads.paths.map((path) => `"${path}"`).join(', ');
  return new HostError(`${refusal} to what "${reads.program}" reads here: ${paths}; ${remedy}`, {
    ...options,
    hint: 'with a "cwd" in its entry it starts elsewhere, without this question',
  });
}
