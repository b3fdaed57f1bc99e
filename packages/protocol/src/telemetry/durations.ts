import type { Attributes, Context, Histogram, MeterProvider } from '@opentelemetry/api';
import type { Api } from './api.ts';
import { scope } from './scope.ts';

/** The boundaries in seconds that the conventions recommend. */
const boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

const descriptions = {
  client: 'Seconds from the sending of a request to its response',
  server: 'Seconds from the receipt of a request to its response',
};

/** A histogram of the durations of requests, at one end. */
export class Durations {
  readonly #api: Api;
  readonly #end: keyof typeof descriptions;
  #histogram: Histogram | undefined;
  #provider: MeterProvider | undefined;

  constructor(api: Api, end: keyof typeof descriptions) {
    this.#api = api;
    this.#end = end;
  }

  record(seconds: number, attributes: Attributes, context: Context): void {
    const provider = this.#api.metrics.getMeterProvider();
    // The SDK may be registered after this package was loaded: until then, the provider records nothing.
    if (!this.#histogram || provider !== this.#provider) {
      this.#provider = provider;
      this.#histogram = provider.getMeter(scope).createHistogram(`mcp.${this.#end}.operation.duration`, {
        unit: 's',
        description: descriptions[this.#end],
        advice: { explicitBucketBoundaries: boundaries },
      });
    }
    this.#histogram.record(seconds, attributes, context);
  }
}
