import type { ServerDefinition } from '../config/definition.ts';
import { fingerprint } from './fingerprint.ts';
import { JsonFile } from '../json-file.ts';
import { pinOf, toolChanges, type PinnedTool, type ToolChange } from './tool-changes.ts';

interface TrustFile {
  /** Servers of projects that may be started, by their fingerprint. */
  readonly consents: Readonly<Record<string, { readonly server: string; readonly file: string }>>;
  /** The tools that were accepted, by the key of their server. */
  readonly pins: Readonly<Record<string, readonly PinnedTool[]>>;
}

const empty: TrustFile = { consents: {}, pins: {} };

/** What the user has agreed to. It is kept outside of every project, so that none can agree for its user. */
export class TrustStore {
  readonly #file: JsonFile<TrustFile>;

  constructor(path: string, warn: (message: string) => void) {
    this.#file = new JsonFile(path, empty, isTrustFile, warn);
  }

  /**
   * Whether a server may be used without asking: servers of the user and of the command line may, those of a
   * project's file after consent to exactly this resolved definition.
   */
  hasConsent(definition: ServerDefinition): boolean {
    return definition.scope !== 'project' || fingerprint(definition) in this.#file.read().consents;
  }

  giveConsent(definition: ServerDefinition): void {
    const file = this.#file.read();
    const consent = { server: definition.name, file: definition.origin?.file ?? '' };
    this.#file.write({ ...file, consents: { ...file.consents, [fingerprint(definition)]: consent } });
  }

  /** Takes back the consent to every version of a server, and forgets its tools. */
  forget(definition: ServerDefinition): void {
    const { consents, pins } = this.#file.read();
    const file = definition.origin?.file ?? '';
    const kept = Object.entries(consents).filter(
      ([, each]) => each.server !== definition.name || each.file !== file,
    );
    const others = Object.entries(pins).filter(([key]) => key !== pinKey(definition));
    this.#file.write({ consents: Object.fromEntries(kept), pins: Object.fromEntries(others) });
  }

  /**
   * What has changed since the tools of a server were accepted. The first list that is seen of a server is accepted;
   * `known` is false then.
   */
  checkTools(
    definition: ServerDefinition,
    listed: readonly PinnedTool[],
  ): { readonly known: boolean; readonly changes: readonly ToolChange[] } {
    const accepted = this.#file.read().pins[pinKey(definition)];
    return accepted ? { known: true, changes: toolChanges(accepted, listed) } : { known: false, changes: [] };
  }

  acceptTools(definition: ServerDefinition, listed: readonly PinnedTool[]): void {
    const file = this.#file.read();
    this.#file.write({ ...file, pins: { ...file.pins, [pinKey(definition)]: listed.map(pinOf) } });
  }
}

/** A configured server keeps its pins when its command changes; one of the command line is known by its command alone. */
function pinKey(definition: ServerDefinition): string {
  const { name, origin } = definition;
  return origin ? `${origin.file}#${name}` : fingerprint(definition);
}

function isTrustFile(value: unknown): value is TrustFile {
  return isRecord(value) && isRecord(value['consents']) && isRecord(value['pins']);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
