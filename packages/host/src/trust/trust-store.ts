import { join } from 'node:path';
import type { ServerDefinition } from '../config/definition.ts';
import { JsonDirectory } from '../json-directory.ts';
import { fingerprint } from './fingerprint.ts';
import { pinOf, toolChanges, type PinnedTool, type ToolChange } from './tool-changes.ts';

interface Consent {
  readonly server: string;
  readonly file: string;
}

/** What the user has agreed to. It is kept outside of every project, so that none can agree for its user. */
export class TrustStore {
  /** Consent to start a server, by its fingerprint. */
  readonly #consents: JsonDirectory<Consent>;
  /** The tools that were accepted, by the key of their server. */
  readonly #pins: JsonDirectory<readonly PinnedTool[]>;

  /** `directory` is created with the first consent; `warn` is called with problems of its files. */
  constructor(directory: string, warn: (message: string) => void) {
    this.#consents = new JsonDirectory(join(directory, 'consents'), { isValid: isConsent, warn });
    this.#pins = new JsonDirectory(join(directory, 'pins'), { isValid: isPins, warn });
  }

  /**
   * Whether a server may be used without asking: servers of the user and of the command line may, those of a
   * project's file after consent to exactly this resolved definition.
   */
  hasConsent(definition: ServerDefinition): boolean {
    return definition.scope !== 'project' || this.#consents.get(fingerprint(definition)) !== undefined;
  }

  giveConsent(definition: ServerDefinition): void {
    this.#consents.set(fingerprint(definition), {
      server: definition.name,
      file: definition.origin?.file ?? '',
    });
  }

  /** Takes back the consent to every version of a server, and forgets its tools. */
  forget(definition: ServerDefinition): void {
    const { name, origin } = definition;
    for (const [key, { server, file }] of this.#consents.entries()) {
      if (server === name && file === (origin?.file ?? '')) this.#consents.delete(key);
    }
    this.#pins.delete(pinKey(definition));
  }

  /**
   * What has changed since the tools of a server were accepted. The first list that is seen of a server is accepted;
   * `known` is false then.
   */
  checkTools(
    definition: ServerDefinition,
    listed: readonly PinnedTool[],
  ): { readonly known: boolean; readonly changes: readonly ToolChange[] } {
    const accepted = this.#pins.get(pinKey(definition));
    return accepted ? { known: true, changes: toolChanges(accepted, listed) } : { known: false, changes: [] };
  }

  acceptTools(definition: ServerDefinition, listed: readonly PinnedTool[]): void {
    this.#pins.set(pinKey(definition), listed.map(pinOf));
  }
}

/** A configured server keeps its pins when its command changes; one of the command line is known by its command alone. */
function pinKey(definition: ServerDefinition): string {
  const { name, origin } = definition;
  return origin ? `${origin.file}#${name}` : fingerprint(definition);
}

function isConsent(value: unknown): value is Consent {
  return isRecord(value) && typeof value['server'] === 'string' && typeof value['file'] === 'string';
}

function isPins(value: unknown): value is readonly PinnedTool[] {
  return Array.isArray(value) && value.every((each) => isRecord(each) && typeof each['name'] === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
