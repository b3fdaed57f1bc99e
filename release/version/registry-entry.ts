import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../pack/pack.ts';

// Writes the entry of each server in the MCP registry, `servers/*/server.json`:
// `node release/version/registry-entry.ts`

/** An argument of a server's command line, as both the registry and a bundle describe it. */
export interface ServerArgument {
  /** The key of the value in a bundle, and the hint in the registry. */
  readonly key: string;
  /** The option before the value; a positional argument has none. */
  readonly option?: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'directory' | 'file';
  readonly required: boolean;
  readonly repeated: boolean;
}

export interface PublishedServer {
  readonly name: string;
  readonly title: string;
  readonly arguments: readonly ServerArgument[];
}

export const servers: readonly PublishedServer[] = [
  {
    name: 'filesystem',
    title: 'Filesystem',
    arguments: [
      {
        key: 'directory',
        title: 'Allowed directories',
        description: 'The directories that the server may read and write',
        kind: 'directory',
        required: true,
        repeated: true,
      },
    ],
  },
  {
    name: 'git',
    title: 'Git',
    arguments: [
      {
        key: 'repository',
        option: '--repository',
        title: 'Repository',
        description: 'A repository, or a directory of repositories',
        kind: 'directory',
        required: true,
        repeated: false,
      },
    ],
  },
  {
    name: 'sqlite',
    title: 'SQLite',
    arguments: [
      {
        key: 'database',
        title: 'Databases',
        description: 'The SQLite files that the server may read',
        kind: 'file',
        required: true,
        repeated: true,
      },
    ],
  },
  { name: 'weather', title: 'Weather', arguments: [] },
  {
    name: 'run',
    title: 'Run',
    arguments: [
      {
        key: 'commands',
        title: 'Commands',
        description: 'The file that names the commands which may run',
        kind: 'file',
        required: true,
        repeated: false,
      },
    ],
  },
];

interface Manifest {
  readonly name: string;
  readonly mcpName: string;
  readonly version: string;
  readonly description: string;
  readonly homepage: string;
  readonly license: string;
  readonly author: string;
  readonly keywords: readonly string[];
  readonly engines: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly repository: { readonly url: string; readonly directory: string };
}

export function manifestOf({ name }: PublishedServer): Manifest {
  return JSON.parse(readFileSync(join(repository, 'servers', name, 'package.json'), 'utf8')) as Manifest;
}

/** The entry of a server, in the schema of 2025-12-11. */
export function registryEntry(server: PublishedServer): object {
  const { name, mcpName, version, description, homepage, repository: source } = manifestOf(server);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: server.title,
    description,
    version,
    websiteUrl: homepage,
    repository: {
      url: source.url.replace(/^git\+|\.git$/g, ''),
      source: 'github',
      subfolder: source.directory,
    },
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: server.arguments.map((argument) => ({
          ...(argument.option
            ? { type: 'named', name: argument.option }
            : { type: 'positional', valueHint: argument.key }),
          description: argument.description,
          format: 'filepath',
          isRequired: argument.required,
          isRepeated: argument.repeated,
        })),
      },
    ],
  };
}

/** Writes the `server.json` of each server. */
export function writeRegistryEntries(): void {
  for (const server of servers) {
    writeFileSync(registryEntryFile(server), `${JSON.stringify(registryEntry(server), null, 2)}\n`);
  }
}

export function registryEntryFile({ name }: PublishedServer): string {
  return join(repository, 'servers', name, 'server.json');
}

if (import.meta.main) writeRegistryEntries();
