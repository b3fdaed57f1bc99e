import { closestNames, similarityTo } from '@mcp/kit';
import type { Entry } from '../entry/entry-values.ts';
import type { Format, FormatName } from '../formats/formats.ts';
import { type Spelling, spellings } from '../write/spelling.ts';
import { readKeys } from '../write/unread-keys.ts';

/** The similarity from which an unknown key is a misspelling: `evn` of `env`, but not `dev`. */
const minSimilarity = 0.65;

/** Keys that no host reads, and that are not similar to those that they are meant for. */
const mistaken: Readonly<Record<string, string>> = { arguments: 'args', cmd: 'command' };

/** Formats whose programs read the keys of others too. */
const tolerant: readonly string[] = ['mcp', 'mcporter', 'any'];

/** The keys that mean the same for different hosts, and the one of them that a format has. */
const alternatives: readonly {
  readonly keys: readonly string[];
  readonly keyOf: (spelling: Spelling, format: Format) => string | undefined;
}[] = [
  { keys: ['env', 'environment'], keyOf: ({ env }) => env },
  { keys: ['headers', 'http_headers'], keyOf: ({ headers }) => headers },
  {
    keys: ['httpUrl', 'serverUrl', 'baseUrl', 'base_url', 'server_url'],
    keyOf: ({ url }) => url?.http,
  },
  { keys: ['enabled', 'disabled'], keyOf: ({ disabled }) => disabled?.[0] },
  { keys: ['timeout', 'tool_timeout_sec'], keyOf: ({ callTimeout }) => callTimeout?.[0] },
  { keys: ['oauth', 'auth'], keyOf: ({ oauth }) => oauth?.[0] },
  {
    keys: ['includeTools', 'enabled_tools', 'allowed_tools'],
    keyOf: (_, { allowKeys }) => allowKeys[0],
  },
  {
    keys: ['excludeTools', 'disabled_tools', 'disabledTools', 'blocked_tools'],
    keyOf: (_, { denyKeys }) => denyKeys[0],
  },
];

/**
 * The keys of an entry that its host does not read, each with the key that is meant. Other unknown keys are
 * left out: hosts read more keys than `mcp` knows.
 */
export function misspeltKeys(
  written: Entry,
  format: Format,
): readonly { readonly key: string; readonly meant: string }[] {
  const known = knownKeys(format);
  return Object.keys(written).flatMap((key) => {
    const meant = known.has(key) ? undefined : meantKey(key, known, format);
    return meant === undefined || written[meant] !== undefined ? [] : [{ key, meant }];
  });
}

function meantKey(key: string, known: ReadonlySet<string>, format: Format): string | undefined {
  const spelling = spellings[format.name as FormatName];
  const same = alternatives.find(({ keys }) => keys.includes(key));
  if (same) return same.keyOf(spelling, format);
  if (readKeys.has(key)) return undefined;
  const other = Object.hasOwn(mistaken, key) ? mistaken[key] : undefined;
  if (other !== undefined && known.has(other)) return other;
  const [closest] = closestNames(key, known, 1);
  return closest !== undefined && similarityTo(key)(closest) >= minSimilarity ? closest : undefined;
}

/** The keys that a host reads in an entry, as far as `mcp` knows them. */
function knownKeys(format: Format): ReadonlySet<string> {
  const spelling = spellings[format.name as FormatName];
  const { url, headers, env, cwd, commandList, envFile, disabled, callTimeout, startTimeout, oauth } =
    spelling;
  return new Set(
    [
      'command',
      'type',
      commandList ? undefined : 'args',
      url?.http,
      url?.sse,
      headers,
      env,
      cwd ? 'cwd' : undefined,
      envFile ? 'envFile' : undefined,
      disabled?.[0],
      callTimeout?.[0],
      startTimeout?.[0],
      oauth?.[0],
      ...format.allowKeys,
      ...format.denyKeys,
      ...(format.name === 'codex' ? codexKeys : []),
      ...(tolerant.includes(format.name) ? alternatives.flatMap(({ keys }) => keys) : []),
    ].filter((each) => each !== undefined),
  );
}

const codexKeys = ['env_vars', 'bearer_token_env_var', 'env_http_headers'];
