import { type CommandInput, type OptionSpec, valueOf } from '../../command-line/command.ts';
import type { Registry } from '../../registry/registry.ts';

export const registryOption: OptionSpec = {
  name: 'registry',
  value: 'url',
  help: 'the registry, by default MCP_REGISTRY of the environment, or the official one',
};

/** The registry of a command line. */
export async function registryOf({ options, signal }: CommandInput): Promise<Registry> {
  // Imported only here, so that other commands start faster.
  const { officialRegistry, Registry } = await import('../../registry/registry.ts');
  return new Registry(
    valueOf(options, 'registry') ?? (process.env['MCP_REGISTRY'] || officialRegistry),
    signal,
  );
}

/** Splits `io.github.user/server@1.2.0` into a name and a version. */
export function versionedName(word: string): { readonly name: string; readonly version?: string } {
  const at = word.lastIndexOf('@');
  return at <= 0 ? { name: word } : { name: word.slice(0, at), version: word.slice(at + 1) };
}

/** Whether a word is a name of the registry: a reversed domain, a slash and a name. */
export function isRegistryName(word: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9.-]*\/[A-Za-z0-9][\w.-]*(?:@[^/]+)?$/.test(word);
}
