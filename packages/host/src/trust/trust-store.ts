import { join, resolve } from 'node:path';
import { isObject } from '@mcp/kit';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { JsonDirectory } from '../json-directory.ts';
import { fingerprint } from './fingerprint.ts';
import type { ReadHere } from './read-here.ts';
import { pinOf, toolChanges, type PinnedTool, type ToolChange } from './tool-changes.ts';

interface Consent {
  readonly server: string;
  readonly file: string;
}

/**
 * The accepted tools of one server, by the `capabilitySet` of the client that listed them. The key
 * `withheldKey` has the names of hidden tools instead.
 */
type Pins = Readonly<Record<string, readonly PinnedTool[]>>;

/**
 * The key under which the names of withheld tools are kept. The other keys consist of capabilities, and no
 * capability has this name.
 */
const withheldKey = 'withheld';

/** Maximum number of withheld names that are kept, because a server can make up names without limit. */
const maxWithheld = 10_000;

/**
 * The user's consents: which servers may start, and which tools are accepted. They are stored outside of
 * projects, so that no project can contain its own consent.
 */
export class TrustStore {
  /** Consents to start a server, by the fingerprint of its entry. */
  readonly #consents: JsonDirectory<Consent>;
  /** The tools that were accepted, by the key of their server. */
  readonly #pins: JsonDirectory<Pins>;

  /** `directory` is created with the first consent; `warn` is called with problems of its files. */
  constructor(directory: string, warn: (message: string) => void) {
    this.#consents = new JsonDirectory(join(directory, 'consents'), { isValid: isConsent, warn });
    this.#pins = new JsonDirectory(join(directory, 'pins'), { isValid: isPins, warn });
  }

  /**
   * Whether a server may start without asking the user. A server of the user's own files or of the command
   * line may, unless its start reads files that another person may have written (`reads`). Any other server
   * needs an earlier consent to exactly this entry.
   */
  hasConsent(entry: ServerEntry, reads?: ReadHere): boolean {
    if (entry.scope !== 'project' && !reads) return true;
    return this.#consents.get(consentKey(entry, reads)) !== undefined;
  }

  giveConsent(entry: ServerEntry, reads?: ReadHere): void {
    this.#consents.set(consentKey(entry, reads), {
      server: entry.name,
      file: entry.origin?.file ?? '',
    });
  }

  /**
   * The changes of a server's tools since they were accepted. `declared` is the `capabilitySet` of the client
   * that lists them: a server may list more tools to a client that can do more. Each capability set has an
   * accepted list of its own. If there is none yet, `known` is false, and the tools count as accepted. There
   * are two exceptions: tools that differ from an accepted tool of the same name in another set, and tools
   * that were withheld from another client.
   */
  checkTools(
    entry: ServerEntry,
    listed: readonly PinnedTool[],
    declared = '',
  ): { readonly known: boolean; readonly changes: readonly ToolChange[] } {
    const { [withheldKey]: withheld = [], ...pins } = this.#pinsOf(entry);
    const own = pins[declared];
    const changes = toolChanges(own ?? [], listed);
    if (own && changes.length === 0) return { known: true, changes };
    const different = toolChanges(Object.values(pins).flat(), listed);
    if (!own) {
      const refused = new Set(withheld.map(({ name }) => name));
      return {
        known: false,
        changes: different.filter(
          ({ kind, name }) => kind === 'changed' || (kind !== 'removed' && refused.has(name)),
        ),
      };
    }
    const names = new Set(different.map(({ name }) => name));
    return {
      known: true,
      changes: changes.filter(({ kind, name }) => kind === 'removed' || names.has(name)),
    };
  }

  /**
   * The differences between a cached list and all accepted tools of the server, whatever the capabilities of
   * the clients for which they were accepted.
   */
  checkCachedTools(entry: ServerEntry, cached: readonly PinnedTool[]): readonly ToolChange[] {
    const { [withheldKey]: _, ...pins } = this.#pinsOf(entry);
    const accepted = Object.values(pins).flat();
    if (accepted.length === 0) return [];
    return toolChanges(accepted, cached).filter(({ kind }) => kind !== 'removed');
  }

  acceptTools(entry: ServerEntry, listed: readonly PinnedTool[], declared = ''): void {
    const { [withheldKey]: before = [], ...pins } = this.#pinsOf(entry);
    const names = new Set(listed.map(({ name }) => name));
    const withheld = before.filter(({ name }) => !names.has(name));
    this.#pins.set(pinKey(entry), {
      ...pins,
      ...(withheld.length > 0 && { [withheldKey]: withheld }),
      [declared]: listed.map(pinOf),
    });
  }

  /** The names of the tools that are withheld, which means hidden until the user accepts them. */
  withheldNames(entry: ServerEntry): string[] {
    return (this.#pinsOf(entry)[withheldKey] ?? []).map(({ name }) => name);
  }

  /**
   * Stores the names of the tools that were withheld from a client, so that they do not count as accepted
   * when another client lists tools for the first time.
   */
  withholdTools(entry: ServerEntry, changes: readonly ToolChange[]): void {
    const { [withheldKey]: before = [], ...pins } = this.#pinsOf(entry);
    const known = new Set(before.map(({ name }) => name));
    const further = changes.filter(({ kind, name }) => kind !== 'removed' && !known.has(name));
    if (further.length === 0) return;
    const withheld = [...before, ...further.map(({ name }) => ({ name }))].slice(-maxWithheld);
    this.#pins.set(pinKey(entry), { ...pins, [withheldKey]: withheld });
  }

  #pinsOf(entry: ServerEntry): Pins {
    return this.#pins.get(pinKey(entry)) ?? {};
  }
}

/**
 * The key of a consent. It includes the paths of the files that the start reads. For a server of a project
 * these paths are left out: its entry comes from the same directory as the files, so one consent is for both.
 */
function consentKey(entry: ServerEntry, reads: ReadHere | undefined): string {
  const own = fingerprint(entry);
  return entry.scope === 'project' || !reads ? own : JSON.stringify([own, ...reads.paths]);
}

/**
 * The key of a server's accepted tools. A server of a configuration file keeps its key when its command
 * changes; a server of the command line is identified by its command.
 */
function pinKey(entry: ServerEntry): string {
  const { name, origin } = entry;
  return origin ? `${resolve(origin.file)}#${name}` : fingerprint(entry);
}

function isConsent(value: unknown): value is Consent {
  return isObject(value) && typeof value['server'] === 'string' && typeof value['file'] === 'string';
}

function isPins(value: unknown): value is Pins {
  return isObject(value) && Object.values(value).every(isTools);
}

function isTools(value: unknown): value is readonly PinnedTool[] {
  return Array.isArray(value) && value.every((each) => isObject(each) && typeof each['name'] === 'string');
}
