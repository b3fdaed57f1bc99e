import type { DiagLogger } from '@opentelemetry/api';
import type * as api from '@opentelemetry/api';

type Api = Pick<typeof api, 'diag' | 'DiagLogLevel'>;

/**
 * Starts an SDK whose own messages go to `warn`: those of the level `OTEL_LOG_LEVEL`, or else the first
 * error. The SDK itself would write to stdout, which belongs to the protocol.
 */
export function diagnose<Sdk>(
  { diag, DiagLogLevel }: Api,
  warn: (message: string) => void,
  start: () => Sdk,
): Sdk {
  const level = process.env['OTEL_LOG_LEVEL'];
  const known = (level?.toUpperCase() ?? '') as keyof typeof DiagLogLevel;
  const logLevel = DiagLogLevel[known] ?? DiagLogLevel.ERROR;
  diag.setLogger(loggerTo(warn, level === undefined), { logLevel, suppressOverrideMessage: true });
  // With this variable, the SDK would replace the logger.
  delete process.env['OTEL_LOG_LEVEL'];
  try {
    return start();
  } finally {
    if (level !== undefined) process.env['OTEL_LOG_LEVEL'] = level;
  }
}

function loggerTo(warn: (message: string) => void, onlyFirst: boolean): DiagLogger {
  let told = false;
  const write = (...[text]: Parameters<DiagLogger['error']>) => {
    if (onlyFirst && told) return;
    told = true;
    warn(
      `OpenTelemetry: ${messageIn(text)}${onlyFirst ? '; OTEL_LOG_LEVEL=error shows later errors too' : ''}`,
    );
  };
  return { error: write, warn: write, info: write, debug: write, verbose: write };
}

/** The message of an error that the SDK has written as JSON. */
function messageIn(text: string): string {
  try {
    const { message, code } = JSON.parse(text) as { readonly message?: unknown; readonly code?: unknown };
    return [message, code].find((each): each is string => typeof each === 'string' && each !== '') ?? text;
  } catch {
    return text;
  }
}
