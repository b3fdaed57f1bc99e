import { airQuality } from './resources/air-quality.ts';
import { alerts } from './resources/alerts.ts';
import { current } from './resources/current.ts';
import { forecast } from './resources/forecast.ts';
import { history } from './resources/history.ts';
import { hourly } from './resources/hourly.ts';
import { places } from './resources/places.ts';

export const resources = [places, current, forecast, hourly, alerts, airQuality, history];
