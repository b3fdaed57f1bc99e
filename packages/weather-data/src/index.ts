// The service: finds places, fetches their weather as numbers, and watches for changes.
export { WeatherService, type Directories, type WeatherServiceOptions } from './weather-service.ts';
export { hasAlerts } from './providers/official-alerts.ts';
export { maxForecastDays, providerNames, type AlertArea, type ProviderName } from './providers/provider.ts';
export type { Fetched, FetchOptions, Source } from './cache/upstream-document.ts';
export type { HttpLimits } from './http/http-client.ts';
export type { ChangeWatcher } from './watch/change-watcher.ts';
export type { Clock } from './clock.ts';
export { sampleDocuments } from './providers/dataset/sample-store.ts';

// The answers: text, facts with units, and charts.
export { WeatherAnswers } from './answers/weather-answers.ts';
export type { Answer } from './answers/answer.ts';
export type { ForecastOptions } from './answers/forecast.ts';
export type { HistoryOptions } from './answers/history.ts';
export type { Theme } from './chart/draw-chart.ts';
export type { ChartAnswer } from './answers/hours-chart.ts';
export type { HoursTableOptions, Interval } from './answers/hours-table.ts';
export { conditionMeasures, type DayCondition, type DayOperator } from './answers/period-summary.ts';

// For programs that compose their own answers: heading, provenance, and values in the user's units.
export { composeAnswer, subjectOf } from './answers/answer.ts';
export {
  attributionOf,
  provenanceFacts,
  provenanceText,
  type Facts,
  type Subject,
} from './text/provenance.ts';
export { valueFacts, valueTexts } from './text/values.ts';
export { answerSchema, factSchemas, placesSchema, valueSchemas, type FactMembers } from './fact-schemas.ts';
export { differenceInUnit, inUnit, unitOf, type Unit } from './model/units.ts';

export type { AirQuality, Alert, Alerts, Day, Moment, Series } from './model/series.ts';
export {
  infoOf,
  marineMeasures,
  type Measure,
  type MeasureInfo,
  type Quantity,
  type Values,
} from './model/measures.ts';
export { unitSystems, type UnitSystem } from './model/units.ts';
export { addDays, assertDate, isDate, weekday, Zone } from './model/time-zone.ts';

export { coordinatesText, parseLatLon, type Coordinates } from './places/coordinates.ts';
export { placeText, type Candidate, type Place } from './places/place.ts';
export type { PlaceMatch } from './places/find-place.ts';
export { ambiguousPlace, candidateFacts, maxChoices } from './places/ambiguous-place.ts';
export { parseSavedName, type SavedPlace, type SavedPlaces } from './places/saved-places.ts';

export { invalidArgument, quoted, WeatherError, type WeatherErrorKind } from './errors.ts';
