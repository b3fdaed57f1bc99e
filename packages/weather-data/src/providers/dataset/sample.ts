import berlinAirQuality from './sample/berlin-air-quality.json' with { type: 'json' };
import berlinAlerts from './sample/berlin-alerts.json' with { type: 'json' };
import berlinCurrent from './sample/berlin-current.json' with { type: 'json' };
import berlinForecast from './sample/berlin-forecast.json' with { type: 'json' };
import berlinHistory from './sample/berlin-history.json' with { type: 'json' };
import berlinPlace from './sample/berlin-place.json' with { type: 'json' };
import kathmanduCurrent from './sample/kathmandu-current.json' with { type: 'json' };
import kathmanduForecast from './sample/kathmandu-forecast.json' with { type: 'json' };
import kathmanduPlace from './sample/kathmandu-place.json' with { type: 'json' };
import springfieldAlerts from './sample/springfield-alerts.json' with { type: 'json' };
import springfieldCurrent from './sample/springfield-current.json' with { type: 'json' };
import springfieldForecast from './sample/springfield-forecast.json' with { type: 'json' };
import springfieldHourly from './sample/springfield-hourly.json' with { type: 'json' };
import springfieldPlace from './sample/springfield-place.json' with { type: 'json' };
import springfieldPoints from './sample/springfield-points.json' with { type: 'json' };

/** The time at which the sample data were current, in milliseconds since 1970. */
export const sampleTime = Date.UTC(2026, 10, 20, 13, 46);

export const sampleZones: { readonly [place: string]: string } = {
  berlin: 'Europe/Berlin',
  kathmandu: 'Asia/Kathmandu',
  springfield: 'America/Chicago',
};

/** The documents of each place, in the formats of Open-Meteo and NWS, with made-up values. */
export const sample: { readonly [place: string]: { readonly [product: string]: unknown } } = {
  berlin: {
    'air-quality': berlinAirQuality,
    alerts: berlinAlerts,
    current: berlinCurrent,
    forecast: berlinForecast,
    history: berlinHistory,
    place: berlinPlace,
  },
  kathmandu: { current: kathmanduCurrent, forecast: kathmanduForecast, place: kathmanduPlace },
  springfield: {
    alerts: springfieldAlerts,
    current: springfieldCurrent,
    forecast: springfieldForecast,
    hourly: springfieldHourly,
    place: springfieldPlace,
    points: springfieldPoints,
  },
};
