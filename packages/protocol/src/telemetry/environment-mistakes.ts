import { headerMistakes } from './exporter-headers.ts';
import { entriesOf, percentDecoded } from './list-variables.ts';

type Environment = { readonly [name: string]: string | undefined };

/** Variables of the specification that have no effect here, each with the reason. */
const withoutEffect: { readonly [name: string]: string } = {
  OTEL_CONFIG_FILE: 'files of settings are not read',
  OTEL_EXPERIMENTAL_CONFIG_FILE: 'files of settings are not read',
  OTEL_LOGS_EXPORTER: 'no logs are exported',
  OTEL_METRICS_EXEMPLAR_FILTER: 'the SDK has no exemplars',
};

/** The settings of the environment that the SDK would ignore without a message, and why. */
export function environmentMistakes(environment: Environment): string[] {
  const given = (name: string) => environment[name]?.trim() || undefined;
  const ignored = Object.entries(withoutEffect)
    .filter(([name]) => ![undefined, 'none'].includes(given(name)))
    .map(([name, reason]) => `${name} has no effect: ${reason}`);
  return [
    ...ignored,
    ...samplerMistakes(given),
    ...attributeMistakes(given),
    ...endpointMistakes(given),
    ...headerMistakes(environment),
  ];
}

type Given = (name: string) => string | undefined;

function samplerMistakes(given: Given): string[] {
  const hasEffect = /^(?:parentbased_)?traceidratio$/.test(given('OTEL_TRACES_SAMPLER') ?? '');
  return given('OTEL_TRACES_SAMPLER_ARG') === undefined || hasEffect
    ? []
    : [
        'OTEL_TRACES_SAMPLER_ARG has no effect: OTEL_TRACES_SAMPLER is neither traceidratio nor parentbased_traceidratio',
      ];
}

/** One wrong entry makes the SDK ignore all. */
function attributeMistakes(given: Given): string[] {
  const isWrong = (entry: string) =>
    !/^\s*[^=\s][^=]*=[^=]*$/.test(entry) || entry.split('=').some(isWrongPart);
  return entriesOf(given('OTEL_RESOURCE_ATTRIBUTES')).some(isWrong)
    ? [
        'OTEL_RESOURCE_ATTRIBUTES has no effect: expected key=value,key=value with percent-encoding of "," and "="',
      ]
    : [];
}

const maxAttributeLength = 255;

function isWrongPart(part: string): boolean {
  const text = percentDecoded(part);
  return text === undefined || text.length > maxAttributeLength;
}

/** With gRPC, an endpoint may be a host and a port alone. The value may have a password, and is not shown. */
function endpointMistakes(given: Given): string[] {
  return ['', 'TRACES_', 'METRICS_'].flatMap((signal) => {
    const endpoint = given(`OTEL_EXPORTER_OTLP_${signal}ENDPOINT`);
    const protocol = given(`OTEL_EXPORTER_OTLP_${signal}PROTOCOL`) ?? given('OTEL_EXPORTER_OTLP_PROTOCOL');
    if (endpoint === undefined || protocol === 'grpc' || /^https?:\/\/[^/]/i.test(endpoint)) return [];
    return [`OTEL_EXPORTER_OTLP_${signal}ENDPOINT must begin with http:// or https://`];
  });
}
