import { join } from 'node:path';

const directory = import.meta.dirname;

/** A library, and the to-do server that is written with it. */
export interface Library {
  /** Its name as a heading; the folder of the program is `folder`. */
  readonly name: string;
  readonly folder: string;
  /** The packages that the program installs, without `zod`; the first one is the library. */
  readonly packages: readonly string[];
  /** The program, relative to the folder. */
  readonly program: string;
  /** A command of the library that makes the program, relative to the folder. */
  readonly build?: readonly string[];
  /** What the library's documents say about what it lacks, or about what the table cannot show. */
  readonly notes: readonly string[];
}

export const ours: Library = {
  name: '@mcp/protocol',
  folder: 'ours',
  packages: ['@mcp/protocol'],
  program: 'server.ts',
  notes: [],
};

/** The others, in the order of the alphabet. */
export const peers: readonly Library[] = [
  {
    name: 'fastmcp',
    folder: 'fastmcp',
    packages: ['fastmcp'],
    program: 'server.ts',
    notes: [
      'Its [README](https://github.com/punkpeye/fastmcp#readme) says so, and names another library for 2026-07-28.',
      'In one run, a change right after the subscription was not notified: its `connect` registers the session up to 100 ms after the handshake.',
    ],
  },
  {
    name: 'mcp-framework',
    folder: 'mcp-framework',
    packages: ['mcp-framework'],
    program: 'src/index.ts',
    notes: [
      'A resource is read by its own URI; [its documents](https://github.com/QuantGeekDev/mcp-framework/blob/main/docs/resources.md) have no way to read a URI of a template. `subscribe()` gets no URI, and there is no function that notifies.',
    ],
  },
  {
    name: 'SDK v1',
    folder: 'sdk-v1',
    packages: ['@modelcontextprotocol/sdk'],
    program: 'server.ts',
    notes: [],
  },
  {
    name: 'SDK v2',
    folder: 'sdk-v2',
    packages: ['@modelcontextprotocol/server'],
    program: 'server.ts',
    notes: [],
  },
  {
    name: 'tmcp',
    folder: 'tmcp',
    packages: ['tmcp', '@tmcp/adapter-zod', '@tmcp/transport-stdio'],
    program: 'server.ts',
    notes: [
      'Its transport for stdio sets no `ctx.signal` for tools. Updates of a URI of a template go to clients of 2026-07-28 only, as a comment in its [source](https://github.com/paoloricciuti/tmcp/blob/main/packages/tmcp/src/index.js) says.',
    ],
  },
  {
    name: 'xmcp',
    folder: 'xmcp',
    packages: ['xmcp', '@xmcp-dev/compiler'],
    program: 'dist/stdio.js',
    build: ['node_modules/xmcp/dist/cli.js', 'build'],
    notes: [
      '[Its documents](https://xmcp.dev/docs/core-concepts/resources) name neither subscriptions nor completion for resources.',
    ],
  },
];

export const libraries: readonly Library[] = [ours, ...peers];

export const folderOf = (library: Library) => join(directory, library.folder);
