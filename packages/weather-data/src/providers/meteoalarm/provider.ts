import type { DocumentCache } from '../../cache/document-cache.ts';
import type { Fetched, FetchOptions } from '../../cache/upstream-document.ts';
import { WeatherError } from '../../errors.ts';
import { HostLimiter } from '../../http/host-limiter.ts';
import type { Alerts } from '../../model/series.ts';
import type { Place } from '../../places/place.ts';
import { countryName, feedOf } from './countries.ts';
import { alertsAt, type Feed, readFeed } from './feed.ts';

/** The limits are high because a feed with the outlines of all its areas has 9 MB even on a quiet day. */
const limits = { maxBodyBytes: 32 * 1024 * 1024, attemptTimeoutMs: 12_000 };

const minute = 60_000;

/**
 * Official alerts of the weather services of Europe and Israel, one document for each country. The documented
 * Atom feeds at https://feeds.meteoalarm.org/ need one more document for each alert. The JSON feeds already
 * contain the outlines and all texts.
 */
export class MeteoAlarm {
  readonly #documents: DocumentCache;
  readonly #base: URL;
  readonly #limiter = new HostLimiter({ concurrency: 2 });

  constructor({ documents, baseUrl }: { documents: DocumentCache; baseUrl?: URL | undefined }) {
    this.#documents = documents;
    this.#base = baseUrl ?? new URL('https://feeds.meteoalarm.org');
  }

  /** The alerts at a place. `code` is the code of its country, which MeteoAlarm must have. */
  async alerts(place: Place, code: string, options: FetchOptions): Promise<Fetched<Alerts>> {
    const fetched = await this.#feed(code, options);
    return { ...fetched, model: alertsAt(fetched.model, place, countryName(code)) };
  }

  async #feed(code: string, options: FetchOptions): Promise<Fetched<Feed>> {
    const url = new URL(`${this.#base.href.replace(/\/?$/, '/')}api/v1/warnings/feeds-${feedOf(code)}`);
    try {
      return await this.#documents.load(
        {
          source: 'meteoalarm',
          product: 'alerts',
          key: url.href,
          request: () => ({ url, limiter: this.#limiter, limits }),
          freshMs: 5 * minute,
          keepMs: 24 * 60 * minute,
          read: readFeed,
        },
        options,
      );
    } catch (error) {
      if (!(error instanceof WeatherError) || error.facts['status'] !== 404) throw error;
      const message = `MeteoAlarm has no feed of ${countryName(code)}`;
      throw new WeatherError('not_supported', message, {}, { cause: error });
    }
  }
}
