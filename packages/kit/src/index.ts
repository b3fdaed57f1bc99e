// This entry has the functions that run in every runtime; `@mcp/kit/node` has the functions that need Node.

// Finds names similar to another name, for suggestions ("did you mean").
export { closestNames, minSimilarity, similarityTo } from './closest-names.ts';

// Escapes untrusted text so that it can be shown.
export { escapeName, escapeText, hiddenInText, oneLine, quoted } from './safe-text.ts';

// The message, stack and code of a thrown value, and functions that call a callback and handle its errors.
export { codeOf, messageOf, reasonOf, stackOf } from './error-text.ts';
export { callSafely, emitWarning, safeWarn } from './call-safely.ts';

// Waiting with a limit, and running tasks one after the other.
export { abortable, backOff, maxDelayMs, pause, unref, within } from './deadline.ts';
export type { Backoff, EndSignal, WaitOptions } from './deadline.ts';
export { KeyedQueue } from './keyed-queue.ts';

// Limits how often something may happen for each key.
export { type Rate, TokenBuckets } from './token-buckets.ts';

// Modules of Node, where they are there.
export { builtin } from './builtin.ts';

// JSON in which numbers keep the form in which they are written.
export { numberText, parseExactJson, parseNumberTexts } from './exact-json.ts';

// Checks of parsed JSON.
export { isObject } from './is-object.ts';

// Requests for JSON, limited in time and size, and the URLs at which an issuer of tokens has its metadata.
export { fetchErrorText, fetchJson, isRedirect } from './fetch-json.ts';
export type { JsonReply } from './fetch-json.ts';
export { readText } from './read-text.ts';
export type { ExchangeBounds } from './read-text.ts';
export { issuerMetadataUrls } from './issuer-metadata-urls.ts';

// Addresses of clients, for limits per client.
export { isLocalAddress, networkOf } from './network-of.ts';
