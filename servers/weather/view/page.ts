import { byId, choiceIn, element, region } from '@mcp/views/dom';
import { unitOf, unitSystems, type UnitSystem } from '@mcp/weather-data/units';
import { alertsIn } from './dom/alerts.ts';
import { currentIn } from './dom/current.ts';
import { CurvePart } from './dom/curve.ts';
import { daysIn } from './dom/days.ts';
import { hoursTableIn } from './dom/hours-table.ts';
import { sourceIn } from './dom/source.ts';
import { currentIndex, dateText, localNow } from './model/dates.ts';
import { degrees } from './model/quantities.ts';
import type { Candidate, PlaceWeather, Reading } from './model/weather.ts';

interface PageOptions {
  /** The user has chosen one of the candidates of the place with this index. */
  readonly meant: (index: number, place: string) => void;
}

/** Windows that are narrower have one day of hours; wider ones two. */
const narrow = 560;

/** Shows the last reading, as the user has chosen: which place, which day, in which units. */
export class Page {
  #reading: Reading | undefined;
  #readAt = 0;
  #problem = '';
  #place = 0;
  #day: string | undefined;
  #units: UnitSystem | undefined;

  readonly #places = choiceIn(byId('places'), (value) => {
    this.#place = Number(value);
    this.#day = undefined;
    this.show();
  });
  readonly #unitChoice = choiceIn(byId('units'), (value) => {
    this.#units = value as UnitSystem;
    this.show();
  });
  readonly #current = currentIn(byId('current'));
  readonly #alerts = alertsIn(byId('alerts'));
  readonly #curve = new CurvePart();
  readonly #table = hoursTableIn(byId('table'));
  readonly #days = daysIn(byId('days'), (date) => {
    this.#day = date;
    this.show();
  });
  readonly #source = sourceIn(byId('source'));
  readonly #trouble;

  constructor({ meant }: PageOptions) {
    this.#trouble = region(
      byId('trouble'),
      (trouble: { problem: string; candidates: readonly Candidate[] }) => {
        const { problem, candidates } = trouble;
        const buttons = candidates.map(({ place, text }) => {
          const button = element('button', { type: 'button', class: 'plain' }, element('bdi', {}, text));
          button.addEventListener('click', () => meant(this.#place, place));
          return button;
        });
        return problem === '' ? [] : [element('p', {}, problem), ...buttons];
      },
    );
    matchMedia(`(width < ${narrow}px)`).addEventListener('change', () => this.show());
  }

  /** Shows a new reading. */
  read(reading: Reading): void {
    this.#reading = reading;
    this.#readAt = performance.now();
    this.#problem = '';
    this.show();
  }

  /** Says why there is no new reading. The last one stays and becomes older; without one, `text` is shown. */
  failed(problem: string, text = ''): void {
    this.#problem = this.#reading ? problem : `${problem}\n\n${text}`.trim();
    this.show();
  }

  /** Shows the last reading with the present age. */
  show(): void {
    const reading = this.#reading;
    document.querySelector('main')!.ariaBusy = String(!reading && this.#problem === '');
    byId('loading').hidden = reading !== undefined || this.#problem !== '';
    if (!reading) return this.#trouble({ problem: this.#problem, candidates: [] });
    const place = reading.places[this.#place] ?? reading.places[0]!;
    const units = this.#units ?? reading.units;
    const now = reading.now + performance.now() - this.#readAt;
    this.#showHeader(place, reading.places, now, units);
    this.#showWeather(place, now, units);
  }

  #showHeader(place: PlaceWeather, places: readonly PlaceWeather[], now: number, units: UnitSystem): void {
    byId('name').textContent = place.name;
    const { clock } = localNow(place.hours, now);
    byId('region').textContent = [place.region, place.hours.length > 0 && `${clock} there`]
      .filter(Boolean)
      .join(' · ');
    this.#places({
      name: 'place',
      legend: 'Place',
      options: places.map(({ name, current }, index) => ({
        value: String(index),
        text: name,
        more: current ? degrees(current.temperature, units) : '',
      })),
      chosen: String(Math.max(0, places.indexOf(place))),
    });
    this.#unitChoice({
      name: 'units',
      legend: 'Units',
      options: unitSystems.map((system) => ({ value: system, text: unitOf('temperature', system).label })),
      chosen: units,
    });
  }

  #showWeather(place: PlaceWeather, now: number, units: UnitSystem): void {
    const { hours, days, source } = place;
    const local = localNow(hours, now);
    const withHours = [...new Set(hours.map(({ date }) => date))];
    const chosen = this.#day !== local.date && withHours.includes(this.#day ?? '') ? this.#day : undefined;
    const from =
      chosen === undefined ? currentIndex(hours, now) : hours.findIndex(({ date }) => date === chosen);
    const count = innerWidth < narrow ? 24 : 48;
    const shown = hours.slice(from, from + count + 1);
    const minute = Math.floor(now / 60_000) * 60_000;

    this.#trouble({
      problem: place.problem || (days.length > 0 ? '' : this.#problem),
      candidates: place.candidates,
    });
    const present = place.current ?? hours[currentIndex(hours, now)];
    this.#current({ moment: present, today: days.find(({ date }) => date === local.date), units });
    this.#alerts({ alerts: place.alerts, problem: place.alertsProblem });
    const title = chosen === undefined ? `Next ${shown.length - 1} hours` : `From ${dateText(chosen)}`;
    this.#curve.show({ hours: shown, now: minute, units, title });
    this.#table({ hours: shown, units });
    byId('table-part').hidden = shown.length === 0;
    this.#days({ days, today: local.date, withHours, chosen, units });
    const ageMinutes = source.since === null ? null : Math.max(0, Math.floor((now - source.since) / 60_000));
    const line = { source, ageMinutes, offset: local.offset, problem: this.#problem };
    this.#source(hours.length + days.length > 0 ? line : undefined);
  }
}
