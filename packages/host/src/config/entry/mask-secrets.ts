import type { ExpandedVariable, ServerEntry } from './server-entry.ts';

const secretName =
  /token|secret|pass(?:word|wd|phrase|code)?(?![a-z])|pwd|key|auth|credential|cookie|session|bearer|jwt|dsn|private|signature|(?:^|[-_.])(?:pw|pat|pin|otp|sig)(?![a-z])/i;

/** The beginnings of known kinds of secrets. */
const secretValue = /^(?:sk-|gh[pousr]_|github_pat_|xox[abpr]-|glpat-|AKIA|AIza|eyJ[\w-]+\.|Bearer\s)/;

/** Shown instead of a secret. */
export const mask = '••••';

/**
 * Returns a value for display. If its name or its form is that of a secret, the whole value is masked,
 * otherwise only the secrets inside it.
 */
export function maskValue(name: string, value: string): string {
  if (value === '') return value;
  if (secretName.test(name) || secretValue.test(value) || isRandom(value)) return mask;
  const shown = value.replaceAll(member, (whole, key: string, colon: string, text: string) =>
    maskValue(key, text) === mask ? `"${key}"${colon}"${mask}"` : whole,
  );
  return maskAddresses(shown.replaceAll(secretInside, mask));
}

/** A member with a string in a text of JSON. */
const member = /"([^"\\]+)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g;

/** Finds secrets inside a value, as in `{"Authorization":"Bearer x"}` or `host=h password=x`. */
const secretInside =
  /(?<=\bBearer\s+)[^\s"'•]+|(?<=(?:^|\s)(?:password|passwd|pwd|token|secret)\s*=\s*)[^\s;"'•]+/gi;

/**
 * Whether a value looks like a random token: long, with letters and digits that alternate. Checks each
 * segment of a path.
 */
function isRandom(value: string): boolean {
  const names = /^(?:\/|~\/|\.\.?\/)/.test(value) ? value.split('/') : [value];
  return names.some(isRandomName);
}

/** Whether letters and digits alternate more often than in names and versions. */
function isRandomName(name: string): boolean {
  return /^[\w+/=.-]{16,}$/.test(name) && (name.match(/(?=[a-z]\d|\d[a-z])/gi) ?? []).length >= 4;
}

/** Masks the users, the passwords and the secret parameters of all addresses in a text. */
export function maskAddresses(text: string): string {
  return text
    .replaceAll(
      /(?<=\b[a-z][a-z\d+.-]*:\/\/)(?<user>[^\s/?#@:]*)(?<password>:[^\s/?#]*)?@/gi,
      (_, user: string, password?: string) => (password === undefined ? `${mask}@` : `${user}:${mask}@`),
    )
    .replaceAll(
      /(?<=[?&#;])(?<name>[^=&#;\s?]+)=(?!••••|<secret>)(?<value>[^&#;\s"']+)/g,
      (_, name: string, value: string) =>
        `${name}=${maskValue(name, decoded(value)) === mask ? mask : value}`,
    );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Only the values of these headers are shown, unless they look like secrets. All others are masked, because
 * the name of a header does not tell whether its value is secret.
 */
const plainHeaders = ['accept', 'accept-language', 'content-type', 'user-agent', 'mcp-protocol-version'];

/** Returns the value of a header for display, with secrets masked. */
export function maskHeader(name: string, value: string): string {
  return plainHeaders.includes(name.toLowerCase()) ? maskValue(name, value) : value && mask;
}

/**
 * Returns arguments for display. Masks `x` in `--token x`, `--api-key=x`, `API_KEY=x`, `Authorization: x` and
 * `--header 'name: x'`, and values that look like secrets.
 */
export function maskArguments(args: readonly string[], command = ''): string[] {
  return args.map((each, index) => {
    if (isShortPassword(args, index, command)) return each && mask;
    const before = args[index - 1] ?? '';
    const option = before.startsWith('-') && !before.includes('=') ? before : '';
    if (/^(?:-H|--?headers?)$/.test(option)) return each.replace(/(?<=:\s*)\S.*$/s, mask);
    const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(each);
    const { key, value } = /^(?<key>-*[\w.-]+(?:=|:\s*))(?<value>.+)$/s.exec(each)?.groups ?? {};
    if (isAddress || key === undefined || value === undefined || maskValue(option, each) === mask)
      return maskValue(option, each);
    return `${key}${maskValue(key, value)}`;
  });
}

/**
 * Programs that start other programs: their own `-p` is followed by a package, an interpreter or a port, and
 * not by a password.
 */
const launchers =
  /(?:^|[\\/])(?:npx|npm|pnpm|pnpx|bunx|yarn|uvx|uv|pipx|node|python[\d.]*|docker|podman)(?:\.\w+)?$/i;

/**
 * Whether the argument at `index` may be a password: it follows `-p`, does not look like a port or a path,
 * and this `-p` is not the own option of a launcher.
 */
function isShortPassword(args: readonly string[], index: number, command: string): boolean {
  if (args[index - 1] !== '-p' || /^(?:[\d.:]+(?:\/\w+)?$|[-.~/@])/.test(args[index] ?? '')) return false;
  const isFirst = args.slice(0, index).every((each) => each.startsWith('-'));
  return !(isFirst && launchers.test(command));
}

/** Returns a command for display. It may contain arguments, so secrets in them are masked, too. */
export function maskCommand(command: string): string {
  const words = command.replaceAll(/(?<=\bBearer\s+)\S+/gi, mask).split(/\s+/);
  return maskArguments(words).join(' ');
}

/**
 * Returns a variable with secrets masked in its value and in its text: the default in a text such as
 * `${KEY:-x}` may be a secret.
 */
export function maskVariable<T extends ExpandedVariable>(variable: T): T {
  const { key, value } = variable;
  const [, of = ''] = /^headers\.(.*)$/.exec(key) ?? [];
  const masked = (text: string) =>
    of === '' ? maskValue(`${nameOf(variable)} ${key}`, text) : maskHeader(of, text);
  const text = variable.text.replace(/(?<=:-)[^}]*/, masked);
  return { ...variable, text, value: masked(value) };
}

/** The text of a variable in the configuration, without its default: `${KEY` for `${KEY:-x}`. */
function nameOf({ text }: ExpandedVariable): string {
  return text.replace(/:-.*$/s, '');
}

function secretsOf(of: string, variables: readonly ExpandedVariable[]): readonly ExpandedVariable[] {
  return variables.filter((each) => each.key === of && maskVariable(each).value === mask);
}

/**
 * Arguments as the user sees them before consent. Unlike elsewhere, the argument after an option such as
 * `--token` is not masked, because that could hide a dangerous argument. Only the secret values of variables
 * are hidden: each is replaced by the variable as it was written.
 */
export function argumentsAsWritten(
  args: readonly string[],
  variables: readonly ExpandedVariable[],
): readonly string[] {
  return args.map((arg, index) =>
    secretsOf(`args[${index}]`, variables).reduce(
      (shown, { text, value }) => shown.replace(value, () => text),
      arg,
    ),
  );
}

type Target = ServerEntry['target'];

/** Returns the command line and environment of a server, or its URL and headers, with secrets masked. */
export function maskTarget<T extends Target>(target: T, variables: readonly ExpandedVariable[]): T;
export function maskTarget(target: Target, variables: readonly ExpandedVariable[]): Target {
  const masked = (value: string, of: string) =>
    secretsOf(of, variables).reduce((shown, each) => shown.replaceAll(each.value, mask), value);
  const each = (values: Readonly<Record<string, string>>, show: (name: string, value: string) => string) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, show(name, value)]));
  if (target.kind === 'stdio') {
    return {
      ...target,
      command: maskCommand(masked(target.command, 'command')),
      args: maskArguments(
        target.args.map((arg, index) => masked(arg, `args[${index}]`)),
        target.command,
      ),
      env: each(target.env, (name, value) => maskValue(name, masked(value, `env.${name}`))),
    };
  }
  const headers = each(target.headers, maskHeader);
  return { ...target, url: maskAddresses(masked(target.url, 'url')), headers };
}

type Secretive = Pick<ServerEntry, 'target' | 'variables'>;

/** A text about a server, for example an error, without the secrets of its entry. */
export function maskSecretsOf(entry: Secretive, text: string): string {
  return secretMask(entry)(text);
}

/** Like `maskSecretsOf`, as a function for many texts, such as the lines that a server writes. */
export function secretMask({ target, variables }: Secretive): (text: string) => string {
  const shown = maskTarget(target, variables);
  const secrets = [
    ...variables.flatMap((each) => hiddenIn(each.value, maskVariable(each).value)),
    ...stringsIn(target).flatMap((value, index) => hiddenIn(value, stringsIn(shown)[index]!)),
  ];
  return (text) => maskAddresses(secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text));
}

/**
 * All strings of a target that may contain secrets. They have the same order before and after masking, so a
 * string can be compared with its masked form by its index.
 */
function stringsIn(target: Target): string[] {
  return target.kind === 'stdio'
    ? [target.command, ...target.args, ...Object.values(target.env)]
    : [target.url, ...Object.values(target.headers)];
}

/** Minimum length of a secret to hide: shorter ones would hide parts of ordinary words. */
const minHiddenLength = 4;

/**
 * The parts of `value` that are masked in `shown`. If such a part is `Bearer <token>`, the token alone is
 * returned, too.
 */
function hiddenIn(value: string, shown: string): string[] {
  const [before = '', ...others] = shown.split(mask);
  const last = others.pop();
  if (last === undefined || !value.startsWith(before) || !value.endsWith(last)) return [];
  const hidden: string[] = [];
  let at = before.length;
  for (const part of others) {
    const end = value.indexOf(part, at);
    if (end === -1) return [];
    hidden.push(value.slice(at, end));
    at = end + part.length;
  }
  hidden.push(value.slice(at, value.length - last.length));
  const secrets = hidden.flatMap((each) => [each, each.replace(/^\w+\s+/, ''), decoded(each)]);
  return [...new Set(secrets)].filter(({ length }) => length >= minHiddenLength);
}
