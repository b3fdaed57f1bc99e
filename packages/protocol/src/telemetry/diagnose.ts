import { messageOf } from '@mcp/kit';
import type { DiagLogger } from '@opentelemetry/api';
import type * as api from '@opentelemetry/api';
import { environmentMistakes } from './environment-mistakes.ts';
import { exporterSecrets } from './exporter-headers.ts';

type Api = Pick<typeof api, 'diag' | 'DiagLogLevel'>;
type Write = (text: string) => void;

/**
 * Starts an SDK whose own messages go to `warn`: those of the level `OTEL_LOG_LEVEL`, or else one line with
 * all that is wrong in the settings, and the first error. The SDK itself would write to stdout, which belongs
 * to the protocol. Throws what `start` throws, without secrets.
 */
export function diagnose<Sdk>(
  { diag, DiagLogLevel }: Api,
  warn: (message: string) => void,
  start: () => Sdk,
): Sdk {
  const level = process.env['OTEL_LOG_LEVEL']?.trim() || undefined;
  const known = DiagLogLevel[level?.toUpperCase() as keyof typeof DiagLogLevel] as number | undefined;
  const secrets = exporterSecrets(process.env);
  const clean = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, '[hidden]'), text);
  const write: Write = (text) => warn(`OpenTelemetry: ${clean(text)}`);
  const isQuiet = known !== undefined && known < DiagLogLevel.WARN;
  const mistakes = new Set(isQuiet || isDisabled() ? [] : environmentMistakes(process.env));
  if (level !== undefined && known === undefined)
    mistakes.add('OTEL_LOG_LEVEL must be one of none, error, warn, info, debug, verbose, all');
  const logger = known === undefined ? new FirstMessages(mistakes, write) : loggerTo(write);
  diag.setLogger(logger, { logLevel: known ?? DiagLogLevel.WARN, suppressOverrideMessage: true });
  // With this variable, the SDK would replace the logger.
  delete process.env['OTEL_LOG_LEVEL'];
  try {
    return start();
  } catch (error) {
    throw new Error(`OpenTelemetry cannot start: ${clean(messageOf(error))}`);
  } finally {
    if (level !== undefined) process.env['OTEL_LOG_LEVEL'] = level;
    if (logger instanceof FirstMessages) logger.started();
    else if (mistakes.size > 0) write([...mistakes].join('; '));
  }
}

function isDisabled(): boolean {
  return process.env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true';
}

/** Writes one line with the messages of the start, and later the first error. */
class FirstMessages implements DiagLogger {
  readonly #ofStart: Set<string>;
  readonly #write: Write;
  #isStarting = true;
  #hasFailed = false;

  constructor(ofStart: Set<string>, write: Write) {
    this.#ofStart = ofStart;
    this.#write = write;
  }

  started(): void {
    this.#isStarting = false;
    if (this.#ofStart.size > 0) this.#write([...this.#ofStart].join('; '));
  }

  error(...parts: Parameters<DiagLogger['error']>): void {
    if (this.#isStarting) return void this.#ofStart.add(messageIn(parts));
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#write(`${messageIn(parts)}; OTEL_LOG_LEVEL=error shows later errors too`);
  }

  warn(...parts: Parameters<DiagLogger['warn']>): void {
    const text = messageIn(parts);
    // "none" is a setting like others, which the SDK mentions.
    if (this.#isStarting && !/ contains "none"/.test(text)) this.#ofStart.add(text);
  }

  info(): void {}
  debug(): void {}
  verbose(): void {}
}

function loggerTo(writeText: Write): DiagLogger {
  const write = (...parts: Parameters<DiagLogger['error']>) => writeText(messageIn(parts));
  return { error: write, warn: write, info: write, debug: write, verbose: write };
}

/** A message of the SDK, whose first part may be the name of a component alone. */
function messageIn(parts: readonly unknown[]): string {
  return parts
    .filter((part) => typeof part === 'string' || part instanceof Error)
    .map((part) => plain(messageOf(part)).replace(/\.$/, ''))
    .join(': ');
}

/** The message of an error that the SDK has written as JSON. */
function plain(text: string): string {
  try {
    const { message, code } = JSON.parse(text) as { readonly message?: unknown; readonly code?: unknown };
    return [message, code].find((each): each is string => typeof each === 'string' && each !== '') ?? text;
  } catch {
    return text;
  }
}
