/** The members of a program's `package.json` that `runProgram` uses. Only `version` is necessary. */
export interface ProgramManifest {
  readonly name?: string;
  readonly version: string;
  readonly description?: string;
  /**
   * The file of each command, by the name of the command. If this is a string, there is one command, and
   * its name is the name of the package without the scope. Without a command, the program has the name of the
   * package too, or else that of the file that Node runs.
   */
  readonly bin?: object | string;
  /** If Node is older than `engines.node`, such as `>=20.19`, the program exits with a message. */
  readonly engines?: { readonly node?: string };
  /** Whether the package is published nowhere. Default: false. */
  readonly private?: boolean;
}

/** Throws an `Error` for what is no manifest, such as an author of plain JavaScript may give. */
export function refuseNoManifest(manifest: unknown): void {
  const { version } = Object(manifest) as { readonly version?: unknown };
  if (typeof version === 'string') return;
  throw new Error(
    '`runProgram` needs a `manifest` with a `version`: the parsed package.json, or for example ' +
      "{ name: 'example', version: '1.0.0' }",
  );
}

/** The name of the program in its messages. */
export function commandOf({ name, bin }: ProgramManifest): string {
  const [command] = typeof bin === 'object' && bin !== null ? Object.keys(bin) : [];
  return command || withoutScope(name) || fileName(process.argv[1]) || 'server';
}

function withoutScope(name = ''): string {
  return name.slice(name.indexOf('/') + 1);
}

function fileName(path = ''): string {
  return path.replace(/^.*[\\/]/s, '').replace(/\.\w+$/, '');
}

/** The command that installs a package with the program, and starts it with these options. */
export function commandWith(
  added: string,
  options: string,
  { name, private: isPrivate }: ProgramManifest,
  command: string,
): string {
  return name === undefined || isPrivate
    ? `npm install ${added}`
    : `npx -y -p ${name} -p ${added} ${command} ${options}`;
}
