import { AnswerCache } from '../cache/answer-cache.ts';
import type { FetchOptions, Fetched } from '../cache/upstream-document.ts';
import type { Theme } from '../chart/draw-chart.ts';
import type { Ranges, Series } from '../model/series.ts';
import { assertDate } from '../model/time-zone.ts';
import type { UnitSystem } from '../model/units.ts';
import { WeatherError } from '../errors.ts';
import { type Place, placeKey } from '../places/place.ts';
import { type AlertArea, maxForecastDays } from '../providers/provider.ts';
import { parseState, type WeatherService } from '../weather-service.ts';
import { airQualityAnswer } from './air-quality.ts';
import { alertsAnswer } from './alerts.ts';
import type { Answer } from './answer.ts';
import { climateNormal } from './climate-normal.ts';
import { currentAnswer } from './current.ts';
import { dayAnswer, forecastAnswer, type ForecastOptions } from './forecast.ts';
import { historyAnswer, type HistoryOptions } from './history.ts';
import { assertDrawable, type ChartAnswer, hoursChartAnswer } from './hours-chart.ts';
import { hoursTableAnswer, type HoursTableOptions, isMarine } from './hours-table.ts';

/** Options in which `units` is optional and defaults to the units of the service. */
type WithUnits<Options> = Omit<Options, 'units'> & { readonly units?: UnitSystem | undefined };

/**
 * Composes answers about places: as text for a person or a model, and as facts whose names contain their
 * units. Every method rejects with a `WeatherError` if there is no answer.
 */
export class WeatherAnswers {
  readonly #weather: WeatherService;
  readonly #composed = new AnswerCache<Answer>();

  constructor(weather: WeatherService) {
    this.#weather = weather;
  }

  async current(place: Place, given: WithUnits<object> = {}, options: FetchOptions = {}): Promise<Answer> {
    const units = given.units ?? this.#weather.units;
    const fetched = await this.#weather.current(place, options);
    return this.#compose(fetched, `current ${keyOf(place)} ${units}`, (now) =>
      currentAnswer(fetched, place, units, now),
    );
  }

  /** With `hourly`, the answer has the hours of the first 7 days; with `models`, how far models differ. */
  async forecast(
    place: Place,
    given: WithUnits<ForecastOptions> & { readonly models?: boolean | undefined },
    options: FetchOptions = {},
  ): Promise<Answer> {
    const { models = false, ...wanted } = this.#withUnits(given);
    const [fetched, spread] = await Promise.all([
      this.#weather.forecast(place, wanted.days, options),
      models ? this.#spread(place, wanted.days, options) : undefined,
    ]);
    const key = `forecast ${keyOf(place)} ${JSON.stringify(wanted)} ${models} ${spread?.fetchedAt}`;
    return this.#compose(fetched, key, (now) =>
      forecastAnswer(fetched, place, { ...wanted, spread: spread?.model }, now),
    );
  }

  /** Returns how far models differ, or a note if that fails, so that the forecast is still answered. */
  async #spread(place: Place, days: number, options: FetchOptions) {
    try {
      return await this.#weather.spread(place, days, options);
    } catch (error) {
      if (!(error instanceof WeatherError)) throw error;
      const notes = [`How far the models differ is not available: ${error.message}`];
      return { fetchedAt: undefined, model: { models: [], days: new Map<string, Ranges>(), notes } };
    }
  }

  async day(
    place: Place,
    given: WithUnits<{ readonly date: string }>,
    options: FetchOptions = {},
  ): Promise<Answer> {
    const { date, units = this.#weather.units } = given;
    assertDate(date);
    const fetched = await this.#weather.forecast(place, maxForecastDays, options);
    return this.#compose(fetched, `day ${keyOf(place)} ${units} ${date}`, (now) =>
      dayAnswer(fetched, place, { date, units }, now),
    );
  }

  /** The hours of a forecast as a table of measures. Measures of the sea come from a separate forecast. */
  async hours(
    place: Place,
    given: WithUnits<HoursTableOptions>,
    options: FetchOptions = {},
  ): Promise<Answer> {
    const table = this.#withUnits(given);
    const sources = await this.#hoursOf(place, table, options);
    const times = sources.map(({ fetchedAt }) => fetchedAt).join();
    const key = `hours ${keyOf(place)} ${JSON.stringify(table)} ${times}`;
    return this.#compose(sources[0]!, key, (now) => hoursTableAnswer(sources, place, table, now));
  }

  /** The hours of a forecast as a chart, with the same options as `hours`. */
  async chart(
    place: Place,
    given: WithUnits<HoursTableOptions> & { readonly theme: Theme },
    options: FetchOptions = {},
  ): Promise<ChartAnswer> {
    const chart = this.#withUnits(given);
    assertDrawable(chart.measures);
    const sources = await this.#hoursOf(place, chart, options);
    return hoursChartAnswer(sources, place, chart, this.#weather.clock.now());
  }

  /** Past days, or their summary; with `normal` also the means of the 30 years before. */
  async history(
    place: Place,
    given: WithUnits<Omit<HistoryOptions, 'climate'>> & { readonly normal?: boolean | undefined },
    options: FetchOptions = {},
  ): Promise<Answer> {
    const { normal = false, ...wanted } = this.#withUnits(given);
    const fetched = await this.#weather.history(place, wanted.start, wanted.end, options);
    const climate = normal ? await climateNormal(this.#weather, place, wanted, options) : undefined;
    const days = { ...wanted, climate };
    return this.#compose(fetched, `history ${keyOf(place)} ${JSON.stringify(days)}`, (now) =>
      historyAnswer(fetched, place, days, now),
    );
  }

  /** A page of the active alerts, most severe first. `cursor` is the number of alerts on earlier pages. */
  async alerts(area: AlertArea, cursor = 0, options: FetchOptions = {}): Promise<Answer> {
    const where = 'state' in area ? { state: parseState(area.state) } : area;
    const fetched = await this.#weather.alerts(where, options);
    const key = 'state' in where ? where.state : keyOf(where.place);
    return this.#compose(fetched, `alerts ${key} ${cursor}`, (now) =>
      alertsAnswer(fetched, where, cursor, now),
    );
  }

  async airQuality(place: Place, options: FetchOptions = {}): Promise<Answer> {
    const fetched = await this.#weather.airQuality(place, options);
    return this.#compose(fetched, `air quality ${keyOf(place)}`, (now) =>
      airQualityAnswer(fetched, place, now),
    );
  }

  #withUnits<Options extends WithUnits<object>>(
    options: Options,
  ): Omit<Options, 'units'> & { readonly units: UnitSystem } {
    return { ...options, units: options.units ?? this.#weather.units };
  }

  #compose(fetched: Fetched<unknown>, key: string, compose: (now: number) => Answer): Answer {
    const now = this.#weather.clock.now();
    return this.#composed.get(key, fetched, now, () => compose(now));
  }

  /** Fetches the forecasts that contain the measures: the weather forecast, the marine forecast, or both. */
  #hoursOf(
    place: Place,
    { days, interval, measures }: Omit<HoursTableOptions, 'units'>,
    options: FetchOptions,
  ): Promise<readonly Fetched<Series>[]> {
    const span = interval && !interval.daily ? maxForecastDays : days;
    const marine = measures.filter(isMarine).length;
    return Promise.all([
      ...(marine < measures.length ? [this.#weather.forecast(place, span, options)] : []),
      ...(marine > 0 ? [this.#weather.marine(place, span, options)] : []),
    ]);
  }
}

/** The place's name and the number of its notes belong to the key, because the answer repeats them. */
function keyOf(place: Place): string {
  return `${placeKey(place)} ${place.saved ?? ''} ${place.name ?? ''} ${place.notes?.length ?? 0}`;
}
