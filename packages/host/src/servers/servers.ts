import type { Client, ClientOptions } from '@mcp/protocol/client';
import { closestNames } from '../closest-names.ts';
import type { ServerDefinition } from '../config/definition.ts';
import type { ConfiguredServer } from '../config/load.ts';
import type { AskInput } from '../config/variables.ts';
import { exitCodes, HostError } from '../errors.ts';
import { isToolAllowed } from '../trust/tool-filter.ts';
import type { ToolChange } from '../trust/tool-changes.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { connect, type ConnectOptions } from './connect.ts';
import { hostErrorOf } from './host-error-of.ts';

/** A tool as a server lists it. */
export type ListedTool = Awaited<ReturnType<Client['listTools']>>[number];

export interface ServersOptions extends Pick<ConnectOptions, 'authorize'> {
  readonly trust: TrustStore;
  /** Options of a server's client, for example what it may ask of the user. */
  readonly clientOptions: (definition: ServerDefinition) => ClientOptions;
  /** Asks whether a server of a project may be used. */
  readonly askConsent: (definition: ServerDefinition) => Promise<boolean>;
  readonly askInput: AskInput;
  /** Called with each line that a server writes on stderr. */
  readonly stderr: (server: string, line: string) => void;
  /** Called when tools have changed since they were accepted; they are withheld. */
  readonly toolsWithheld: (server: string, changes: readonly ToolChange[]) => void;
}

/** A connected server. */
export interface OpenServer {
  readonly definition: ServerDefinition;
  readonly client: Client;
}

/**
 * The servers of a host, each started when it is first needed and kept until the end. They share nothing: a slow or
 * broken one delays and fails its own callers only.
 */
export class Servers implements AsyncDisposable {
  readonly #configured: ReadonlyMap<string, ConfiguredServer>;
  readonly #options: ServersOptions;
  readonly #open = new Map<string, Promise<OpenServer>>();

  constructor(configured: readonly ConfiguredServer[], options: ServersOptions) {
    this.#configured = new Map(configured.map((server) => [server.name, server]));
    this.#options = options;
  }

  /** The names of the enabled servers. */
  get names(): string[] {
    return [...this.#configured.values()].filter(({ enabled }) => enabled).map(({ name }) => name);
  }

  /** A server that is connected; the same one for all who ask. A failure is not kept: the next call tries again. */
  async open(name: string): Promise<OpenServer> {
    const running = this.#open.get(name);
    if (running) return running;
    const opening = this.#connect(name);
    this.#open.set(name, opening);
    opening.catch(() => this.#open.delete(name));
    return opening;
  }

  /** Runs `work` with a connected server; rejects with a `HostError` that names it. */
  async use<T>(name: string, work: (client: Client, definition: ServerDefinition) => Promise<T>): Promise<T> {
    const { client, definition } = await this.open(name);
    try {
      return await work(client, definition);
    } catch (error) {
      throw hostErrorOf(error, definition);
    }
  }

  /** The tools of a server that its filter shows and that are as they were accepted. */
  tools(name: string): Promise<ListedTool[]> {
    return this.use(name, async (client, definition) => {
      const listed = await client.listTools();
      const { trust, toolsWithheld } = this.#options;
      const { known, changes } = trust.checkTools(definition, listed);
      if (!known) trust.acceptTools(definition, listed);
      if (changes.length > 0) toolsWithheld(name, changes);
      const withheld = new Set(changes.filter(({ kind }) => kind !== 'removed').map((change) => change.name));
      return listed.filter((tool) => isToolAllowed(tool.name, definition.tools) && !withheld.has(tool.name));
    });
  }

  /** How the tools of a server have changed since they were accepted. */
  toolChanges(name: string): Promise<readonly ToolChange[]> {
    return this.use(name, async (client, definition) => {
      return this.#options.trust.checkTools(definition, await client.listTools()).changes;
    });
  }

  /** Accepts the tools of a server as they are listed now. */
  acceptTools(name: string): Promise<void> {
    return this.use(name, async (client, definition) => {
      this.#options.trust.acceptTools(definition, await client.listTools());
    });
  }

  /** Ends every server, each within its own time. */
  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(
      open.map(async (opening) => {
        const server = await opening.catch(() => undefined);
        await server?.client.close();
      }),
    );
  }

  async #connect(name: string): Promise<OpenServer> {
    const definition = await this.#configuredAs(name).resolve(this.#options.askInput);
    const { trust, askConsent, clientOptions, authorize, stderr } = this.#options;
    if (!trust.hasConsent(definition)) {
      if (!(await askConsent(definition))) throw refused(definition);
      trust.giveConsent(definition);
    }
    const client = await connect(definition, {
      authorize,
      client: clientOptions(definition),
      stderr: (line) => stderr(name, line),
    });
    return { definition, client };
  }

  #configuredAs(name: string): ConfiguredServer {
    const found = this.#configured.get(name);
    if (found?.enabled) return found;
    const close = closestNames(name, this.names);
    const message = found
      ? `The server "${name}" is disabled in "${found.origin.file}"`
      : `There is no server "${name}"${close.length > 0 ? `; did you mean ${close.map((each) => `"${each}"`).join(' or ')}?` : ''}`;
    throw new HostError(message, {
      server: name,
      phase: 'configuration',
      exitCode: exitCodes.usage,
      hint: found ? 'enable it there' : 'mcp list shows the servers that are configured',
    });
  }
}

function refused({ name, origin }: ServerDefinition): HostError {
  return new HostError(
    `The server "${name}" of "${origin?.file ?? 'this project'}" was not started: no consent`,
    {
      server: name,
      phase: 'consent',
      exitCode: exitCodes.refused,
      hint: `mcp config explain ${name} shows what would be started; mcp --yes agrees to it`,
    },
  );
}
