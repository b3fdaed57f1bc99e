import { join, resolve } from 'node:path';
import type { ServerEntry } from '../config/server-entry.ts';
import { JsonDirectory } from '../json-directory.ts';
import { fingerprint } from './fingerprint.ts';
import type { ReadHere } from './read-here.ts';
import { pinOf, toolChanges, type PinnedTool, type ToolChange } from './tool-changes.ts';

interface Consent {
  readonly server: string;
  readonly file: string;
}

/**
 * The tools that were accepted, by the capabilities of the clients that they were listed
 * to; and those withheld.
 */
type Pins = Readonly<Record<string, readonly PinnedTool[]>>;

/** The key of withheld tools in pins, of which only the names are kept; no capability has this name. */
const withheldKey = 'withheld';

/** A server can make up any number of names. */
const maxWithheld = 10_000;

/**
 * The consents of the user. They are kept outside of every project, so that no project
 * can agree for its user.
 */
export class TrustStore {
  /** Consent to start a server, by its fingerprint. */
  readonly #consents: JsonDirectory<Consent>;
  /** The tools that were accepted, by the key of their server. */
  readonly #pins: JsonDirectory<Pins | readonly PinnedTool[]>;

  /** `directory` is created with the first consent; `warn` is called with problems of its files. */
  constructor(directory: string, warn: (message: string) => void) {
    this.#consents = new JsonDirectory(join(directory, 'consents'), { isValid: isConsent, warn });
    this.#pins = new JsonDirectory(join(directory, 'pins'), { isValid: isPins, warn });
  }

  /**
   * Whether a server may be used without asking: servers of the user and of the command line may, unless
   * their start reads something here; those of a project's file after consent to exactly this resolved
   * entry.
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

  /** Takes back the consent to every version of a server, and forgets its tools. */
  forget(entry: ServerEntry): void {
    const { name, origin } = entry;
    for (const [key, { server, file }] of this.#consents.entries()) {
      if (server === name && file === (origin?.file ?? '')) this.#consents.delete(key);
    }
    this.#pins.delete(pinKey(entry));
  }

  /**
   * The changes since the tools of a server were accepted. `declared` is the `capabilitySet`
   * of the client that they are listed to; a server may list more tools to one that can do more.
   * The first list for each set is accepted, and `known` is false then. A tool of a name that was accepted
   * for another set counts as changed where it differs, and one that was withheld from another client does
   * not belong to the first list.
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

  /** How the tools of a list that was kept differ from all that were accepted, for any client. */
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

  /** The names of the tools that are withheld until they are accepted. */
  withheldNames(entry: ServerEntry): string[] {
    return (this.#pinsOf(entry)[withheldKey] ?? []).map(({ name }) => name);
  }

  /**
   * Remembers that tools are withheld from a client, so that the first list of another does not accept them.
   */
  withholdTools(entry: ServerEntry, changes: readonly ToolChange[]): void {
    const { [withheldKey]: before = [], ...pins } = this.#pinsOf(entry);
    const known = new Set(before.map(({ name }) => name));
    const further = changes.filter(({ kind, name }) => kind !== 'removed' && !known.has(name));
    if (further.length === 0) return;
    const withheld = [...before, ...further.map(({ name }) => ({ name }))].slice(-maxWithheld);
    this.#pins.set(pinKey(entry), { ...pins, [withheldKey]: withheld });
  }

  /** Earlier releases kept one list for all clients. */
  #pinsOf(entry: ServerEntry): Pins {
    const pins = this.#pins.get(pinKey(entry)) ?? {};
    return isTools(pins) ? { '': pins } : pins;
  }
}

/**
 * The entry of a project's server comes from the directory that is read; an entry of the user
 * comes from elsewhere.
 */
function consentKey(entry: ServerEntry, reads: ReadHere | undefined): string {
  const own = fingerprint(entry);
  return entry.scope === 'project' || !reads ? own : JSON.stringify([own, ...reads.paths]);
}

/**
 * A configured server keeps its pins when its command changes; one of the command line is known
 * by its command alone.
 */
function pinKey(entry: ServerEntry): string {
  const { name, origin } = entry;
  return origin ? `${resolve(origin.file)}#${name}` : fingerprint(entry);
}

function isConsent(value: unknown): value is Consent {
  return isRecord(value) && typeof value['server'] === 'string' && typeof value['file'] === 'string';
}

function isPins(value: unknown): value is Pins | readonly PinnedTool[] {
  return isTools(value) || (isRecord(value) && Object.values(value).every(isTools));
}

function isTools(value: unknown): value is readonly PinnedTool[] {
  return Array.isArray(value) && value.every((each) => isRecord(each) && typeof each['name'] === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
