import { parseArgs } from 'node:util';
import { statSync } from 'node:fs';
import { program } from '../program.ts';
import { type BundleRequest, makeBundle } from './make-bundle.ts';

/** How `bundle` is called: its line in the help. */
export const bundleUsage =
  'bundle <database.db…> --out <file.mcpb> [--name <name>] [--author <name>] [--bundle-version <version>] [--queries <file>] [settings]';

/** The options of the server that a bundle can contain. Most others have paths of one machine. */
const settings = ['allow-write', 'structured', 'queries', 'timeout', 'max-rows', 'max-bytes', 'max-memory'];
const options = program.options ?? {};

/** Runs `bundle`, and prints what it made. Returns the exit code: 0, or 2 for a wrong argument. */
export async function bundleCommand(args: readonly string[], command: string): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(`Usage: ${command} ${bundleUsage}\nSettings: --${settings.join(', --')}\n`);
    return 0;
  }
  try {
    const request = await readRequest(args);
    const bytes = await makeBundle(request);
    process.stdout.write(
      `Wrote ${request.out}, ${bytes.toLocaleString('en')} bytes: open it with your host\n`,
    );
    return 0;
  } catch (error) {
    process.stderr.write(`${command} bundle: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function readRequest(args: readonly string[]): Promise<BundleRequest> {
  const local = args.find((arg) => Object.hasOwn(options, nameOf(arg)) && !settings.includes(nameOf(arg)));
  if (local !== undefined)
    throw new Error(
      `--${nameOf(local)} cannot be an option of a bundle, because it names something on this machine; leave it out`,
    );
  const text = { type: 'string' } as const;
  const known = Object.fromEntries(
    settings.map((name) => [name, options[name]?.value === undefined ? { type: 'boolean' as const } : text]),
  );
  const own = { out: text, name: text, author: text, 'bundle-version': text };
  const parsed = parseArgs({ args: [...args], allowPositionals: true, options: { ...known, ...own } });
  const { positionals: paths } = parsed;
  const values: { readonly [name: string]: unknown } = parsed.values;
  const valueOf = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const out = valueOf('out');
  if (out === undefined || !out.endsWith('.mcpb'))
    throw new Error('Missing --out: expected the new file, whose name ends with .mcpb');
  if (paths.length === 0) throw new Error('Missing argument: the databases of the bundle');
  for (const path of paths)
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`No such database: "${path}"`);
  // Creates the server without starting it: invalid options fail now, and not at the first start of the
  // bundle.
  await program.server({
    positionals: paths,
    flag: (name) => values[name] === true,
    values: (name) => [valueOf(name)].filter((value) => value !== undefined),
    warn: (message) => process.stderr.write(`${message}\n`),
    fail: (error) => {
      throw error;
    },
  });
  const given = settings.filter((name) => name !== 'queries' && values[name] !== undefined);
  return {
    paths,
    out,
    name: valueOf('name'),
    author: valueOf('author'),
    version: valueOf('bundle-version'),
    queries: valueOf('queries'),
    settings: given.flatMap((name) => [
      `--${name}`,
      ...(values[name] === true ? [] : [String(values[name])]),
    ]),
  };
}

/** The name of an option, from `--name` or `--name=value`. */
function nameOf(arg: string): string {
  return arg.startsWith('--') ? arg.slice(2).split('=')[0]! : '';
}
