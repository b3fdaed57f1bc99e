import manifest from '../../package.json' with { type: 'json' };

interface BundleFacts {
  /** The name that a host shows. */
  readonly name: string;
  readonly author: string;
  readonly version: string;
  /** The arguments of the program; paths are in the bundle. */
  readonly args: readonly string[];
}

/** The manifest of a bundle, in version 0.3 of its format. */
export function bundleManifest({ name, author, version, args }: BundleFacts): object {
  const id = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return {
    manifest_version: '0.3',
    name: `sqlite-${id || 'databases'}`,
    display_name: name,
    version,
    description: `${name}: SQLite databases that come with the bundle, read by ${manifest.name}`,
    author: { name: author },
    server: {
      type: 'node',
      entry_point: 'dist/main.cjs',
      mcp_config: { command: 'node', args: ['${__dirname}/dist/main.cjs', ...args] },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: manifest.engines.node },
    },
  };
}
