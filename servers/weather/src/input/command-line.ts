import { type ProviderName, providerNames, unitSystems, type WeatherServiceOptions } from '@mcp/weather-data';

interface CommandLine {
  readonly flag: (name: string) => boolean;
  readonly values: (name: string) => readonly string[];
  /** The name and version of the program: the default of `--user-agent`. */
  readonly program: string;
}

/** Returns the options of the service. Throws an error for an invalid command line. */
export function parseOptions({
  flag,
  values,
  program,
}: CommandLine): Omit<WeatherServiceOptions, 'directories'> {
  const demo = flag('demo');
  const [provider = 'open-meteo'] = values('provider');
  const [units = 'metric'] = values('units');
  const [userAgent = program] = values('user-agent');
  if (!isOneOf(providerNames, provider))
    throw new Error(`Invalid --provider: "${provider}"; expected ${providerNames.join(', ')}`);
  if (!isOneOf(unitSystems, units))
    throw new Error(`Invalid --units: "${units}"; expected ${unitSystems.join(', ')}`);
  if (demo && values('provider').length > 0)
    throw new Error('--demo and --provider were both given; leave out one of them');
  if (!/^[\x20-\x7e]{1,200}$/.test(userAgent))
    throw new Error(`Invalid --user-agent: "${userAgent}"; expected up to 200 printable ASCII characters`);
  return { provider, demo, units, userAgent, baseUrls: baseUrls(values('base-url'), provider) };
}

function baseUrls(
  given: readonly string[],
  provider: ProviderName,
): NonNullable<WeatherServiceOptions['baseUrls']> {
  return Object.fromEntries(
    given.map((each) => {
      const [, name = provider, address = ''] = /^(?:(open-meteo|nws|meteoalarm)=)?(.*)$/s.exec(each) ?? [];
      if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
        throw new Error(`Invalid --base-url: "${each}"; expected an http or https URL`);
      }
      if (name === 'dataset') throw new Error('--base-url cannot be used with --provider dataset');
      const url = new URL(address);
      if (url.search !== '' || url.hash !== '' || url.username !== '') {
        throw new Error(`Invalid --base-url: "${each}"; expected a URL without user, query or fragment`);
      }
      return [name, url];
    }),
  );
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}
