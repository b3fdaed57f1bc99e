import { within } from '@mcp/kit';
import type { Observer } from '@mcp/protocol';
import type { CallOptions, Client, ClientOptions, ListedTool } from '@mcp/protocol/client';
import type { AskInput } from '../config/entry/expand-variables.ts';
import { secretMask } from '../config/entry/mask-secrets.ts';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import type { Configuration, ConfiguredServer } from '../config/load-configuration.ts';
import { exitCodes, HostError } from '../errors.ts';
import { authorizeWith } from '../login/authorize.ts';
import type { Capabilities } from '../trust/capability-set.ts';
import { fingerprint } from '../trust/fingerprint.ts';
import { readHere } from '../trust/read-here.ts';
import type { PinnedTool, ToolChange } from '../trust/tool-changes.ts';
import { type AskConsent, assertConsent } from './assert-consent.ts';
import { ConfiguredServers } from './configured-servers.ts';
import { connect, type ConnectOptions, type OpenKept } from './connect.ts';
import type { Connection } from './connection.ts';
import { ConnectionPool, type LeaseOptions } from './connection-pool.ts';
import { hostErrorOf } from './host-error-of.ts';
import type { HostState } from './host-state.ts';
import type { Listed, ListName } from './lists.ts';
import type { OnMessage } from './observed-connector.ts';
import { type CachedTools, ServerLists, type ToolReview } from './server-lists.ts';
import { withheldChangesText } from './withheld-text.ts';

/** How a host answers the questions of its servers, and the callbacks for events. */
export interface ServersOptions {
  /** Called with each problem that does not end an operation. */
  readonly onWarning: (message: string) => void;
  /** Options of the client for each server, such as its name and the requests that servers may send. */
  readonly clientOptions?: (entry: ServerEntry) => ClientOptions;
  /**
   * Asks whether a server may be started that a project's file configures, or that runs code or takes
   * settings from the current directory when it starts. By default, only servers with an earlier consent are
   * started.
   */
  readonly askConsent?: AskConsent;
  /** Asks for the values of the inputs in VS Code's configuration files; by default inputs have no values. */
  readonly askInput?: AskInput;
  /** Shows the user the login page. Without this function, calls to a server that needs a login reject. */
  readonly onLogin?: (url: URL) => unknown;
  /** Whether to start a login at the server with this URL. By default, each login is started. */
  readonly confirmLogin?: (url: string) => Promise<boolean>;
  /** Is called at the beginning and the end of each request to and from the servers. */
  readonly observe?: Observer;
  /**
   * Called with each message to and from the servers. Each start then begins with the whole handshake, as if
   * the server were not known.
   */
  readonly onMessage?: OnMessage;
  /** Called with each line that a server writes on stderr. */
  readonly onStderr?: (server: string, line: string) => void;
  /** Called when a server fails to start, or when a request to it fails. */
  readonly onFailure?: (server: string) => void;
  /** Called when tools are hidden because they changed since the user accepted them. Default: a warning. */
  readonly onToolsWithheld?: (server: string, changes: readonly ToolChange[]) => void;
  /**
   * Whether tools that changed since the user accepted them are shown, for a server that the user is writing.
   * Default: false.
   */
  readonly acceptsToolChanges?: boolean;
  /** Opens servers that another process keeps. By default, this process starts them. */
  readonly openKept?: OpenKept;
  /** When this signal aborts, all starts in progress end. */
  readonly signal?: AbortSignal;
  /**
   * Called at the end if a server has not answered its last request in time. The end of such a server is then
   * not waited for: it goes on, also after this process has ended. Default: it is waited for.
   */
  readonly onSilentLeft?: () => void;
}

/** How a changed entry is opened. */
export interface OpenOptions {
  /** The revision of the protocol to use; by default, that of the host. */
  readonly revision?: string | undefined;
  /** Further options of the client. */
  readonly client?: ClientOptions;
  readonly signal: AbortSignal;
}

export interface ListOptions extends CallOptions {
  /**
   * Milliseconds after which the cached list is returned if the server has not answered; no limit by default.
   * With 0, no server is started, and the call rejects if no list is cached.
   */
  readonly cachedAfterMs?: number | undefined;
}

/** What a changed configuration has done: for each kind of change, the names of the servers. */
export interface ConfigurationChanges {
  readonly added: readonly string[];
  /** Servers that the configuration no longer names or enables; their connections are closed. */
  readonly removed: readonly string[];
  /** Servers whose entry has changed: their connections are closed, and the next use starts them anew. */
  readonly restarted: readonly string[];
  /** Servers that stay connected, with other filters or timeouts. */
  readonly adjusted: readonly string[];
}

/**
 * The servers of a host. Each is started when it is first needed, and kept until the end. Servers do not
 * affect each other: a slow or broken server delays or fails only calls to itself.
 */
export class Servers implements AsyncDisposable {
  readonly #options: ServersOptions;
  readonly #state: HostState;
  readonly #authorize: ConnectOptions['authorize'];
  readonly #lists: ServerLists;
  /** The connections to the servers that were used, by name. */
  readonly #pools = new Map<string, ConnectionPool>();
  /** Servers that a new configuration has removed or replaced and that have not ended yet. */
  readonly #ending = new Map<string, Promise<void>>();
  /**
   * The questions for consent that the user has not answered yet, by the server's name and the hash of its
   * configuration, so that the same question is not asked twice.
   */
  readonly #asked = new Map<string, Promise<void>>();
  /** The servers that have not answered their last request in time. */
  readonly #silent = new Set<string>();
  #configured: ConfiguredServers;
  #isClosed = false;

  constructor(configured: readonly ConfiguredServer[], state: HostState, options: ServersOptions) {
    const { onLogin: open, confirmLogin: confirm, onWarning: warn } = options;
    const onToolsWithheld = (server: string, changes: readonly ToolChange[]) =>
      warn(withheldChangesText(server, changes));
    this.#configured = new ConfiguredServers(configured);
    this.#state = state;
    this.#options = options;
    this.#authorize = authorizeWith({ store: state.store, open, confirm, warn });
    this.#lists = new ServerLists({ onToolsWithheld, ...options, ...state });
  }

  /** The names of the enabled servers. */
  get names(): string[] {
    return this.#configured.names;
  }

  /**
   * Returns a connection to a server, which the caller must release. By default, it is the shared connection
   * of the host; with `client`, it is a connection for a client with these options. A failure is not
   * remembered: the next call tries again.
   * @example
   * ```ts
   * import { openServers } from '@mcp/host';
   *
   * await using servers = await openServers({ load: { files: ['mcp.json'] } });
   * const guest = await servers.lease('files', { client: { name: 'guest' } });
   * console.log(guest.entry.target.kind, guest.isShared); // stdio false
   * await guest.release();
   * ```
   */
  async lease(name: string, options: LeaseOptions = {}): Promise<Connection> {
    if (this.#isClosed) throw closed(name);
    let pool = this.#pools.get(name);
    if (!pool) {
      // `get` throws if no enabled server has this name.
      this.#configured.get(name);
      pool = new ConnectionPool(
        () => this.resolve(name),
        (entry, client, signal) => this.#connect(entry, client, signal),
      );
      this.#pools.set(name, pool);
    }
    try {
      return await pool.lease(options);
    } catch (error) {
      // A changed configuration has ended this start: starts the server with the new configuration.
      if (pool.isEnded && !options.signal?.aborted) return this.lease(name, options);
      throw error;
    }
  }

  /**
   * Opens a connection to a changed entry of a server, such as one of another version or with another
   * revision, after the user's consent to it. The caller closes it.
   */
  async open(entry: ServerEntry, { revision, client, signal }: OpenOptions): Promise<Client> {
    if (this.#isClosed) throw closed(entry.name);
    const given = { ...this.#options.clientOptions?.(entry), ...client };
    const options = { ...given, ...(revision !== undefined && { revision }) };
    return this.#connect(entry, options, signal);
  }

  /** Runs `work` with the host's connection to a server; rejects with a `HostError` that names the server. */
  async use<T>(name: string, work: (client: Client, entry: ServerEntry) => Promise<T>): Promise<T> {
    const { client, entry } = await this.lease(name);
    try {
      const result = await work(client, entry);
      this.#silent.delete(name);
      return result;
    } catch (error) {
      this.#options.onFailure?.(name);
      const known = hostErrorOf(error, entry);
      if (known instanceof HostError && known.exitCode === exitCodes.timeout) this.#silent.add(name);
      throw known;
    }
  }

  /** The tools of a server that its filter allows and that have not changed since they were accepted. */
  async tools(name: string, options: CallOptions = {}): Promise<ListedTool[]> {
    return [...(await this.list(name, 'tools', options)).items];
  }

  /**
   * Returns a list of a server: as the server sends it now or, depending on `cachedAfterMs`, from the cache.
   * A list of tools contains only the tools that the method `tools` returns.
   * @example
   * ```ts
   * import { openServers } from '@mcp/host';
   *
   * await using servers = await openServers({ load: { files: ['mcp.json'] } });
   * const { items, cachedAt } = await servers.list('files', 'resources');
   * console.log(items.length > 0, cachedAt); // true undefined
   * ```
   */
  async list<K extends ListName>(
    name: string,
    kind: K,
    { cachedAfterMs = Infinity, ...options }: ListOptions = {},
  ): Promise<Listed<K>> {
    const cached = async () => this.#lists.cached(await this.#knownEntry(name), kind);
    if (cachedAfterMs <= 0) {
      const found = await cached();
      if (found) return found;
      throw notCached(name);
    }
    const live = this.use(name, (client, entry) => this.#lists.read(client, entry, kind, options));
    if (cachedAfterMs === Infinity) return live;
    // If the caller gets the cached list, nothing else handles a later failure of the request.
    live.catch(() => {});
    return (await within(cachedAfterMs, live)) ?? (await cached()) ?? (await live);
  }

  /**
   * The tools of the list that was read last, with those that are hidden; undefined if no list is cached.
   * Starts no server. Rejects with a `HostError` for an entry that cannot be resolved.
   */
  async cachedTools(name: string): Promise<CachedTools | undefined> {
    return this.#lists.cachedTools(await this.#knownEntry(name));
  }

  /** An enabled server with its variables expanded. Rejects with a `HostError`, also for an unknown name. */
  async resolve(name: string): Promise<ServerEntry> {
    return this.#configured.get(name).resolve(this.#options.askInput);
  }

  /** Whether a server may be started without asking the user for consent. */
  async isReady(name: string): Promise<boolean> {
    try {
      const entry = await this.#knownEntry(name);
      return this.#state.trust.hasConsent(entry, readHere(entry, process.cwd()));
    } catch {
      return false;
    }
  }

  /** Like `resolve`, for a caller that starts the server: rejects if the user does not consent to that. */
  async consented(name: string): Promise<ServerEntry> {
    const entry = await this.resolve(name);
    await this.#assertConsent(entry);
    return entry;
  }

  /**
   * Filters the tools that a server listed to a client with `capabilities`: returns the tools that this
   * client is shown.
   */
  shownTools<T extends PinnedTool>(
    entry: ServerEntry,
    tools: readonly T[],
    capabilities: Capabilities,
  ): readonly T[] {
    return this.#lists.shown(entry, tools, capabilities);
  }

  /** Deletes the cached lists of a server, which may be private to a login. */
  forgetLists(entry: ServerEntry): void {
    this.#state.listCache.delete(entry);
  }

  /** The names of the tools that are hidden until the user accepts their change. */
  async withheldTools(name: string): Promise<readonly string[]> {
    return this.#state.trust.withheldNames(await this.#knownEntry(name));
  }

  /** How the tools of a server, as it lists them now, have changed since they were accepted. */
  reviewTools(name: string): Promise<ToolReview> {
    return this.use(name, (client, entry) => this.#lists.review(client, entry));
  }

  /**
   * Applies a configuration that was read again. Servers whose entry is the same stay connected. Removed and
   * changed servers are closed in the background. Servers of a file that cannot be read are kept.
   */
  async reload(configuration: Pick<Configuration, 'servers' | 'problems'>): Promise<ConfigurationChanges> {
    const before = this.#configured;
    const now = before.replacedBy(configuration);
    this.#configured = now;
    const removed = before.names.filter((name) => !now.has(name));
    for (const name of removed) this.#end(name);
    const compared = await Promise.all(
      Array.from(this.#pools, async ([name, pool]) => {
        // Compares with the entry of the server's last start, and not with the old configuration: a server
        // that starts during this reload already has the new entry.
        const { entry: used } = pool;
        const entry = await this.resolve(name).catch(() => undefined);
        return { name, pool, entry, change: changeOf(await used?.catch(() => undefined), entry) };
      }),
    );
    const changed = { restart: [] as string[], adjust: [] as string[], none: [] as string[] };
    for (const { name, pool, entry, change } of compared) {
      // Another reload may have ended this pool during the wait.
      if (this.#pools.get(name) !== pool) continue;
      changed[change].push(name);
      if (change === 'adjust' && entry) pool.adjust(entry);
      if (change === 'restart') this.#end(name);
    }
    const added = now.names.filter((name) => !before.has(name));
    return { added, removed, restarted: changed.restart, adjusted: changed.adjust };
  }

  /** Ends a server in the background, with all its connections. The next use starts it anew. */
  restart(name: string): ConfigurationChanges {
    this.#end(name);
    return { added: [], removed: [], restarted: [name], adjusted: [] };
  }

  /**
   * Ends every server, each within its own time limit; for a silent one, see `onSilentLeft`. Afterwards no
   * server can be started.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const name of this.#pools.keys()) this.#end(name);
    const { onSilentLeft } = this.#options;
    const left = onSilentLeft ? [...this.#silent] : [];
    await Promise.all([...this.#ending].flatMap(([name, ending]) => (left.includes(name) ? [] : ending)));
    if (left.length > 0) onSilentLeft?.();
  }

  async #connect(
    entry: ServerEntry,
    client: ClientOptions | undefined,
    signal: AbortSignal,
  ): Promise<Client> {
    const {
      clientOptions,
      observe,
      onMessage,
      onStderr,
      onFailure,
      openKept,
      signal: all = signal,
    } = this.#options;
    const { name } = entry;
    // A cancelled start must end here: the wait for `#ending` below would never end, because `#ending` waits
    // for this start.
    signal.throwIfAborted();
    // Waits until the server's previous process has ended: two processes could use the same file or port.
    await this.#ending.get(name);
    await this.#assertConsent(entry);
    const masked = secretMask(entry);
    const connected = connect(entry, {
      authorize: this.#authorize,
      openKept,
      onMessage,
      signal: AbortSignal.any([signal, all]),
      client: {
        negotiations: onMessage ? new Map() : this.#state.negotiations,
        ...(observe && { observe }),
        ...(client ?? clientOptions?.(entry)),
      },
      stderr: (line) => onStderr?.(name, masked(line)),
    });
    connected.catch(() => onFailure?.(name));
    return connected;
  }

  #assertConsent(entry: ServerEntry): Promise<void> {
    const { askConsent = () => Promise.resolve(false) } = this.#options;
    const key = `${fingerprint(entry)} ${entry.name}`;
    const asked =
      this.#asked.get(key) ??
      assertConsent(entry, this.#state.trust, askConsent).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  #end(name: string): void {
    const pool = this.#pools.get(name);
    if (!pool) return;
    this.#pools.delete(name);
    const ending = Promise.all([this.#ending.get(name), pool.end()]).then(() => {
      if (this.#ending.get(name) === ending) this.#ending.delete(name);
    });
    this.#ending.set(name, ending);
  }

  /**
   * The entry with which the server was last started. If it was never started, its configured entry, for
   * which the user is not asked for inputs.
   */
  async #knownEntry(name: string): Promise<ServerEntry> {
    return this.#pools.get(name)?.entry ?? this.#configured.get(name).resolve();
  }
}

/** The effect of a changed entry on a running server. */
function changeOf(
  before: ServerEntry | undefined,
  now: ServerEntry | undefined,
): 'restart' | 'adjust' | 'none' {
  if (!before && !now) return 'none';
  // If an entry cannot be resolved, the server is restarted, too: its next use then fails and says why.
  if (!before || !now || fingerprint(before) !== fingerprint(now)) return 'restart';
  return settingsOf(before) === settingsOf(now) ? 'none' : 'adjust';
}

/** The settings of an entry that can change without a restart of the server, as text for comparison. */
function settingsOf({ tools, startTimeoutMs, callTimeoutMs }: ServerEntry): string {
  return JSON.stringify({ tools, startTimeoutMs, callTimeoutMs });
}

function closed(server: string): HostError {
  const message = `The server "${server}" cannot be used: the servers were closed`;
  return new HostError(message, { server, phase: 'spawn', hint: 'open the servers again' });
}

function notCached(server: string): HostError {
  const message = `There is no cached list of the server "${server}"`;
  const hint = 'run the command once without --cached';
  return new HostError(message, { server, phase: 'configuration', exitCode: exitCodes.unreachable, hint });
}
