export interface Template {
  readonly name: string;
  readonly language: 'ts' | 'js';
  readonly description: string;
  /** The directory of the template below `templates/`. */
  readonly directory: string;
  /** The path of the server's program in the new project, such as `dist/main.js`. */
  readonly main: string;
  /** The command-line arguments of the new server in the configurations of hosts. */
  readonly args: readonly string[];
  /** A tool and its arguments, as words for `mcp call`, for the first call of a new user. */
  readonly call: string;
  /** The text of files that the server needs to start, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** A command that must run before the call in `call`. */
  readonly first?: string;
  /** What a copy of a whole server of this repository also needs; undefined for the small templates. */
  readonly whole?: {
    /** The package that does the work of the tools; it has nothing to do with MCP. */
    readonly data: string;
    /** Lines of the Dockerfile that run as root. */
    readonly setUp: readonly string[];
    /** Sentences on how `.mcp.json` starts the server, and how to start it otherwise. */
    readonly start: string;
    /** The options of `docker run` for the container. */
    readonly run: string;
    readonly args: readonly string[];
  };
}

export const templates: readonly Template[] = [
  {
    name: 'minimal',
    language: 'ts',
    description: 'a tool, a watched resource and a prompt in under 60 lines',
    directory: 'minimal-ts',
    main: 'dist/main.js',
    args: ['items.txt'],
    call: 'add_item text=Milk',
  },
  {
    name: 'minimal',
    language: 'js',
    description: 'the same in JavaScript, without a build',
    directory: 'minimal-js',
    main: 'src/main.js',
    args: ['items.txt'],
    call: 'add_item text=Milk',
  },
  {
    name: 'notes',
    language: 'ts',
    description:
      'a file for each part: notes in a directory, with templates, completion and lists that change',
    directory: 'notes',
    main: 'dist/main.js',
    args: ['notes'],
    call: 'save_note name=milk text=Milk',
  },
  {
    name: 'filesystem',
    language: 'ts',
    description: 'a copy of @mcp/server-filesystem: files inside the directories that are allowed',
    directory: 'filesystem',
    main: 'dist/main.cjs',
    args: ['.'],
    call: 'list_directory path=.',
    whole: {
      data: '@mcp/sandbox',
      start:
        'The argument `.` allows the directory of this project. Name the directories that your server may use in its place.',
      setUp: [],
      run: '--read-only --network none --volume "$PWD:/files"',
      args: ['/files'],
    },
  },
  {
    name: 'git',
    language: 'ts',
    description: 'a copy of @mcp/server-git: repositories, untrusted ones included',
    directory: 'git',
    main: 'dist/main.cjs',
    args: [],
    call: 'git_status',
    first: 'git init',
    whole: {
      data: '@mcp/safe-git',
      start:
        'It names no repository: the server may use those that the host gives as roots. `--repository <path>` names one.',
      setUp: [
        'RUN apt-get update \\',
        '  && apt-get install --yes --no-install-recommends git \\',
        '  && rm -rf /var/lib/apt/lists/*',
      ],
      run: '--read-only --tmpfs /tmp --network none --volume "$PWD:/repository"',
      args: ['--repository', '/repository'],
    },
  },
  {
    name: 'sqlite',
    language: 'ts',
    description: 'a copy of @mcp/server-sqlite: SQL in child processes; needs Node 22',
    directory: 'sqlite',
    main: 'dist/main.cjs',
    args: [],
    call: 'list_tables',
    whole: {
      data: '@mcp/sqlite-pool',
      start:
        'It names no database: the server opens a temporary copy of a sample. Append the path of a database to open that one.',
      setUp: [],
      run: '--read-only --tmpfs /tmp --network none',
      args: [],
    },
  },
  {
    name: 'weather',
    language: 'ts',
    description: 'a copy of @mcp/server-weather: data of web services, cached and refreshed',
    directory: 'weather',
    main: 'dist/main.cjs',
    args: ['--demo'],
    call: 'forecast place=Berlin',
    whole: {
      data: '@mcp/weather-data',
      start:
        'With `--demo` **every answer is made up**, and no network is needed. Remove `--demo` to get real weather from Open-Meteo, which needs no key.',
      setUp: ['RUN mkdir /data && chown node /data', 'VOLUME /data'],
      run: '--read-only --volume weather:/data',
      args: ['--data', '/data'],
    },
  },
  {
    name: 'run',
    language: 'ts',
    description: 'a copy of @mcp/server-run: commands that the operator allowed, sandboxed',
    directory: 'run',
    main: 'dist/main.cjs',
    args: ['commands.json'],
    call: 'version',
    files: {
      'commands.json': `{
  "writable": [],
  "cwd": ".",
  "commands": { "version": { "description": "Prints the version of Node.", "argv": ["node", "--version"] } }
}
`,
    },
    whole: {
      data: '@mcp/run-commands',
      start:
        '`commands.json` has one command, which prints the version of Node. Write your own commands there.',
      setUp: [],
      run: '--read-only --tmpfs /tmp --network none --volume "$PWD:/data"',
      args: ['/data/commands.json'],
    },
  },
];

/** The template with this name and language. If there is none, throws an error that lists the templates. */
export function findTemplate(name: string, language: string): Template {
  const found = templates.find((each) => each.name === name && each.language === language);
  if (found) return found;
  const known = templates.map((each) => `${each.name} (${each.language})`).join(', ');
  throw new Error(`Unknown template: "${name}" (${language}); expected one of ${known}`);
}
