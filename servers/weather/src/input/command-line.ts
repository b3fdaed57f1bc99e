import type { ForecastsOptions } from '../backend/weather-service.ts';
import { type ProviderName, providerNames } from '../backend/providers/provider.ts';
import { unitSystems } from '../backend/model/units.ts';

interface Given {
  readonly flag: (name: string) => boolean;
  readonly values: (name: string) => readonly string[];
  readonly version: string;
}

/** What the command line chooses; throws what is wrong with it. */
export function choose({ flag, values, version }: Given): Omit<ForecastsOptions, 'directories'> {
  const demo = flag('demo');
  const [provider = 'open-meteo'] = values('provider');
  const [units = 'metric'] = values('units');
  const [userAgent = `@mcp/server-weather/${version}`] = values('user-agent');
  if (!isOneOf(providerNames, provider))
    throw new Error(`--provider takes ${providerNames.join(', ')}, and not "${provider}"`);
  if (!isOneOf(unitSystems, units))
    throw new Error(`--units takes ${unitSystems.join(', ')}, and not "${units}"`);
  if (demo && values('provider').length > 0) throw new Error('Give --demo or --provider, not both');
  if (!/^[\x20-\x7e]{1,200}$/.test(userAgent))
    throw new Error('--user-agent takes up to 200 printable ASCII characters');
  return { provider, demo, units, userAgent, baseUrls: baseUrls(values('base-url'), provider) };
}

function baseUrls(
  given: readonly string[],
  provider: ProviderName,
): NonNullable<ForecastsOptions['baseUrls']> {
  return Object.fromEntries(
    given.map((each) => {
      const [, name = provider, address = ''] = /^(?:(open-meteo|nws)=)?(.*)$/s.exec(each) ?? [];
      if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
        throw new Error(`--base-url takes an http or https address, and not "${each}"`);
      }
      if (name === 'dataset') throw new Error('--base-url is of no use with --provider dataset');
      const url = new URL(address);
      if (url.search !== '' || url.hash !== '' || url.username !== '') {
        throw new Error(`--base-url takes a plain address, and not "${each}"`);
      }
      return [name, url];
    }),
  );
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}
