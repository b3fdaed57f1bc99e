import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampleDocument } from './sample-document.ts';

type Json = { [name: string]: unknown };

/** Answers one request instead of the default. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const read = (path: string): Json => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Json;

const places = read('documents/open-meteo/places.json') as unknown as Json[];
export const problems = read('documents/nws/problems.json') as { [type: string]: Json };

/**
 * A local server that answers like Open-Meteo and NWS, from documents, and misbehaves where a test says so.
 */
export class Upstream implements AsyncDisposable {
  /** Path and query of each request. */
  readonly requests: string[] = [];
  readonly agents: string[] = [];
  /** The maximum number of concurrent requests. */
  maxConcurrent = 0;
  /** Bodies of replies by the prefix of their path; the longest prefix wins. */
  readonly documents = new Map<string, unknown>();
  /** Headers of all default replies. */
  headers: { [name: string]: string } = {};
  /** Behaviours for the next requests, one each. */
  readonly #queue: Behaviour[] = [];
  /** The behaviour for all requests from now on. */
  always: Behaviour | undefined;
  readonly #server: Server;
  #concurrent = 0;
  #listeners: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#answer(request, response),
    );
  }

  static async start(): Promise<Upstream> {
    const server = createServer();
    const upstream = new Upstream(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return upstream;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  /** Adds behaviours for the next requests, one each. */
  next(...behaviours: Behaviour[]): this {
    this.#queue.push(...behaviours);
    return this;
  }

  /** The number of requests with a prefix of the path. */
  count(path: string): number {
    return this.requests.filter((request) => request.startsWith(path)).length;
  }

  /** Resolves at the next request. */
  nextRequest(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.resolve();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request.url!);
    this.agents.push(request.headers['user-agent'] ?? '');
    this.maxConcurrent = Math.max(this.maxConcurrent, ++this.#concurrent);
    response.once('close', () => this.#concurrent--);
    for (const listener of this.#listeners.splice(0)) listener();
    const behaviour = this.#queue.shift() ?? this.always ?? this.#default;
    behaviour(request, response);
  }

  readonly #default: Behaviour = (request, response) => {
    const url = new URL(request.url!, this.url);
    const [own] = [...this.documents.keys()]
      .filter((path) => request.url!.startsWith(path))
      .toSorted((a, b) => b.length - a.length);
    const { status = 200, body } = url.pathname.startsWith('/v1/')
      ? openMeteo(url, own === undefined ? undefined : this.documents.get(own))
      : url.pathname.startsWith('/api/v1/warnings/')
        ? { body: (own === undefined ? undefined : this.documents.get(own)) ?? { warnings: [] } }
        : nws(request, url, own === undefined ? undefined : this.documents.get(own));
    const type = /^\/(?:api\/)?v1\//.test(url.pathname)
      ? 'application/json; charset=utf-8'
      : `application/${status === 200 ? 'geo' : 'problem'}+json`;
    reply(status, body, { 'content-type': type, ...this.headers })(request, response);
  };
}

/** A reply of a status with a JSON body. */
export function reply(status: number, body: unknown, headers: { [name: string]: string } = {}): Behaviour {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** A reply with a body that is sent as it is. */
export function raw(
  body: string | Uint8Array,
  headers: { [name: string]: string } = {},
  status = 200,
): Behaviour {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

/** A failure as Open-Meteo tells it. */
export function reason(status: number, text: string, headers: { [name: string]: string } = {}): Behaviour {
  return reply(status, { error: true, reason: text }, headers);
}

/** A failure as NWS tells it. */
export function problem(type: string, headers: { [name: string]: string } = {}): Behaviour {
  const body = problems[type]!;
  return reply(Number(body['status']), body, { 'content-type': 'application/problem+json', ...headers });
}

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

const failed = (text: string): Answer => ({ status: 400, body: { error: true, reason: text } });

function openMeteo(url: URL, own: unknown): Answer {
  const { searchParams: query, pathname } = url;
  if (pathname === '/v1/search') return own === undefined ? search(query) : { body: own };
  const latitude = Number(query.get('latitude'));
  const longitude = Number(query.get('longitude'));
  if (!(Math.abs(latitude) <= 90))
    return failed(`Latitude must be in range of -90 to 90°. Given: ${latitude}.`);
  if (!(Math.abs(longitude) <= 180))
    return failed(`Longitude must be in range of -180 to 180°. Given: ${longitude}.`);
  const days = Number(query.get('forecast_days') ?? 7);
  if (days > 16) return failed(`Forecast days is invalid. Allowed range 0 to 16. Given ${days}.`);
  const zone = query.get('timezone') ?? 'GMT';
  if (
    zone !== 'auto' &&
    !Intl.supportedValuesOf('timeZone').includes(zone) &&
    !['GMT', 'Europe/Kyiv'].includes(zone)
  ) {
    return failed('Invalid timezone');
  }
  if (own !== undefined) return { body: own };
  if (pathname === '/v1/marine') return { body: marine(latitude, longitude) };
  const name =
    pathname === '/v1/air-quality'
      ? 'berlin-air-quality'
      : pathname === '/v1/archive'
        ? 'berlin-history'
        : query.has('current')
          ? 'berlin-current'
          : 'berlin-forecast';
  return { body: { ...sampleDocument(name), latitude: latitude + 0.01, longitude } };
}

/** A reply of the marine API; inland, east of 10°, all values are null. */
function marine(latitude: number, longitude: number): Json {
  const start = Date.UTC(2026, 10, 19, 23) / 1000;
  const time = Array.from({ length: 72 }, (_, index) => start + index * 3600);
  const column = (value: (index: number) => number) =>
    time.map((_, index) => (longitude > 10 ? null : value(index)));
  return {
    latitude,
    longitude,
    utc_offset_seconds: 3600,
    timezone: 'Europe/Berlin',
    hourly_units: {
      time: 'unixtime',
      wave_height: 'm',
      wave_direction: '°',
      wave_period: 's',
      sea_surface_temperature: '°C',
    },
    hourly: {
      time,
      wave_height: column((index) => Math.round(15 + 10 * Math.sin(index / 9)) / 10),
      wave_direction: column(() => 290),
      wave_period: column((index) => 6 + (index % 3)),
      sea_surface_temperature: column(() => 11.4),
    },
  };
}

function search(query: URLSearchParams): Answer {
  const fold = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase();
  const name = fold(query.get('name') ?? '');
  const generationtime_ms = 0.3;
  if (name === '') return failed('Parameter name must not be empty');
  const letters = Array.from(name).length;
  const local: { [name: string]: string } = { 北京: 'beijing' };
  const wanted = local[name] ?? name;
  const results = places.filter(({ name: own }) =>
    letters < 2
      ? false
      : letters === 2 && !local[name]
        ? fold(String(own)) === wanted
        : fold(String(own)).startsWith(wanted),
  );
  if (results.length === 0) return { body: { generationtime_ms } };
  const named =
    query.get('language') === 'de'
      ? results.map((each) => ({ ...each, name: each['name'] === 'Beijing' ? 'Peking' : each['name'] }))
      : results;
  return { body: { results: named, generationtime_ms } };
}

function nws(request: IncomingMessage, url: URL, own: unknown): Answer {
  if (!request.headers['user-agent'] || /^(?:node|undici)/.test(request.headers['user-agent'])) {
    return { status: 403, body: problems['Forbidden'] };
  }
  if (own !== undefined) return { body: own };
  const { pathname, searchParams } = url;
  if (pathname.startsWith('/points/')) {
    const [latitude = 0, longitude = 0] = pathname.slice('/points/'.length).split(',').map(Number);
    if (!(latitude > 18 && latitude < 72 && longitude < -60))
      return { status: 404, body: problems['InvalidPoint'] };
    return { body: sampleDocument('springfield-points') };
  }
  if (pathname.endsWith('/forecast/hourly')) return { body: sampleDocument('springfield-hourly') };
  if (pathname.endsWith('/forecast')) return { body: sampleDocument('springfield-forecast') };
  if (pathname.endsWith('/stations')) return { body: read('documents/nws/stations.json') };
  if (pathname.endsWith('/observations/latest')) return { body: sampleDocument('springfield-current') };
  if (pathname === '/alerts/active') {
    const [latitude = 40] = (searchParams.get('point') ?? '40').split(',').map(Number);
    if (latitude > 45 || latitude < 18) return { status: 400, body: problems['InvalidParameter'] };
    return {
      body:
        searchParams.get('area') === 'TX'
          ? read('documents/nws/alerts-texas.json')
          : sampleDocument('springfield-alerts'),
    };
  }
  return {
    status: 404,
    body: {
      title: 'Not Found',
      status: 404,
      type: 'https://api.weather.gov/problems/NotFound',
      detail: pathname,
    },
  };
}
