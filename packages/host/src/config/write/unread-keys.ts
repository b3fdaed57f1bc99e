import type { Entry } from '../entry/entry-values.ts';
import type { Format } from '../formats/formats.ts';

/** The keys of entries that `readEntry` reads in all formats, besides their filters. */
export const readKeys = new Set(
  [
    'command args env environment cwd type transport transportType httpUrl url serverUrl baseUrl base_url',
    'server_url headers http_headers requestInit enabled disabled env_vars envFile oauth auth',
    'bearer_token_env_var bearerTokenEnv bearer_token_env env_http_headers allowedTools blockedTools timeout',
    'startup_timeout_sec startup_timeout_ms connectionTimeout tool_timeout_sec requestTimeout source',
  ].flatMap((line) => line.split(' ')),
);

/** The keys of an entry that have no meaning in other formats. */
export function unreadKeys(entry: Entry, { allowKeys, denyKeys }: Format): readonly string[] {
  return Object.keys(entry).filter(
    (key) => !readKeys.has(key) && !allowKeys.includes(key) && !denyKeys.includes(key),
  );
}
