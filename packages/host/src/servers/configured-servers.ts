import { didYouMean } from '../did-you-mean.ts';
import type { Configuration, ConfiguredServer } from '../config/load-configuration.ts';
import { HostError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';

export class ConfiguredServers {
  readonly #byName: ReadonlyMap<string, ConfiguredServer>;

  constructor(servers: Iterable<ConfiguredServer>) {
    this.#byName = new Map(Array.from(servers, (server) => [server.name, server]));
  }

  /** The names of the enabled servers. */
  get names(): string[] {
    return [...this.#byName.values()].filter(({ enabled }) => enabled).map(({ name }) => name);
  }

  has(name: string): boolean {
    return this.#byName.get(name)?.enabled === true;
  }

  /** An enabled server; throws a `HostError` for any other name. */
  get(name: string): ConfiguredServer {
    const found = serverNamed(name, [...this.#byName.values()]);
    if (found.enabled) return found;
    const message = `The server "${name}" is disabled in "${found.origin.file}"`;
    throw new HostError(message, { server: name, phase: 'configuration', hint: 'enable it in this file' });
  }

  /**
   * Returns the servers of a new configuration. If a file cannot be read now, perhaps because it is half
   * written, its previous servers are kept.
   */
  replacedBy({ servers, problems }: Pick<Configuration, 'servers' | 'problems'>): ConfiguredServers {
    const unreadable = new Set(problems.map(({ file }) => file));
    const kept = [...this.#byName.values()].filter(({ origin }) => unreadable.has(origin.file));
    return new ConfiguredServers([...servers, ...kept]);
  }
}

/** The server of this name; throws a `HostError` with similar names if there is none. */
export function serverNamed(name: string, servers: readonly ConfiguredServer[]): ConfiguredServer {
  const found = servers.find((each) => each.name === name);
  if (found) return found;
  const names = servers.map((each) => each.name);
  const message = `There is no server "${name}"${didYouMean(name, names)}`;
  const hint = `${printedCommand('list')} shows the servers that are configured`;
  throw new HostError(message, { server: name, phase: 'configuration', hint });
}
