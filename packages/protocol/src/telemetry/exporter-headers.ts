import { entriesOf, percentDecoded } from './list-variables.ts';

type Environment = { readonly [name: string]: string | undefined };

const variables = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
];

/** Shorter values are not hidden, because they occur by chance. */
const minLength = 4;

/** The headers of exports that the SDK does not send as they are set. No message has a header's value. */
export function headerMistakes(environment: Environment): string[] {
  return variables.flatMap((variable) =>
    entriesOf(environment[variable]).flatMap((entry, index) => {
      const mistake = mistakeIn(entry, index + 1);
      return mistake === undefined ? [] : [`${variable}: ${mistake}`];
    }),
  );
}

function mistakeIn(entry: string, position: number): string | undefined {
  const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/s.exec(entry) ?? [];
  if (value.trim() === '') return `entry ${position} is not sent, because it is not name=value`;
  const text = percentDecoded(value);
  if (text === undefined) return `"${name}" is not sent, because its value is not valid percent-encoding`;
  if (value.includes(';')) return `the value of "${name}" is sent only up to its ";"; write %3B for it`;
  if (/^[\t\x20-\x7e]*$/.test(text)) return undefined;
  return `nothing is exported, because the value of "${name}" has a character that a header cannot have`;
}

/** The texts that are not written to stderr: the values of headers, and users with passwords in URLs. */
export function exporterSecrets(environment: Environment): string[] {
  const values = variables.flatMap((variable) =>
    entriesOf(environment[variable]).map((entry) => entry.slice(entry.indexOf('=') + 1).trim()),
  );
  const users = Object.entries(environment)
    .filter(([name]) => /^OTEL_.*_ENDPOINT$/.test(name))
    .flatMap(([, url = '']) => /\/\/([^/?#]*)@/.exec(url)?.[1] ?? []);
  const parts = users.flatMap((user) => [user, ...user.split(':').slice(1)]);
  return [...values, ...parts]
    .flatMap((text) => [text, percentDecoded(text) ?? ''])
    .filter(({ length }) => length >= minLength)
    .toSorted((a, b) => b.length - a.length);
}
