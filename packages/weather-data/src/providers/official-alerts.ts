import type { Fetched, FetchOptions } from '../cache/upstream-document.ts';
import { WeatherError } from '../errors.ts';
import type { Alerts } from '../model/series.ts';
import { type Place, placeText } from '../places/place.ts';
import { countryName, countryOfZone, hasFeed } from './meteoalarm/countries.ts';
import type { MeteoAlarm } from './meteoalarm/provider.ts';
import type { Nws } from './nws/provider.ts';
import type { AlertArea } from './provider.ts';

interface Sources {
  readonly nws: Nws;
  readonly meteoAlarm: MeteoAlarm;
  /**
   * Returns the time zone of a place, from which the country of a place without a country code is derived.
   */
  readonly zoneOf: (place: Place, options: FetchOptions) => Promise<string>;
}

/** Official alerts from the source that covers the country of a place: NWS or MeteoAlarm. */
export class OfficialAlerts {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  async alerts(area: AlertArea, options: FetchOptions): Promise<Fetched<Alerts>> {
    const { nws, meteoAlarm, zoneOf } = this.#sources;
    if ('state' in area) return nws.alerts(area, options);
    const { place } = area;
    if (hasFeed(place.countryCode)) return meteoAlarm.alerts(place, place.countryCode, options);
    try {
      return await nws.alerts(area, options);
    } catch (error) {
      if (!(error instanceof WeatherError) || error.kind !== 'not_supported') throw error;
      const zone = place.countryCode === undefined ? await zoneOf(place, options) : '';
      const country = countryOfZone(zone);
      if (country === undefined) throw notCovered(place, error);
      const fetched = await meteoAlarm.alerts(place, country, options);
      const note = `The place is taken to be in ${countryName(country)}, by its time zone ${zone}`;
      return { ...fetched, model: { ...fetched.model, notes: [...fetched.model.notes, note] } };
    }
  }
}

/** Whether NWS or MeteoAlarm has alerts for the country of a place. */
export function hasAlerts({ countryCode }: Place): boolean {
  return countryCode === 'US' || hasFeed(countryCode);
}

function notCovered(place: Place, cause: unknown): WeatherError {
  return new WeatherError(
    'not_supported',
    `No source of official alerts for ${placeText(place)}: NWS covers the United States and its territories, MeteoAlarm most of Europe and Israel`,
    {},
    { cause },
  );
}
