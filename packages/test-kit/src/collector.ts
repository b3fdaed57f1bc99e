import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { compileCache } from './compile-cache.ts';
import { gunzipSync } from 'node:zlib';

/** A span as the OTLP exporter sends it in JSON. */
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes?: readonly SentAttribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface SentAttribute {
  readonly key: string;
  readonly value: { readonly [kind: string]: unknown };
}

interface SentPoint {
  readonly attributes?: readonly SentAttribute[];
  readonly count: number | string;
  readonly explicitBounds: readonly number[];
}

interface Resource {
  readonly attributes?: readonly SentAttribute[];
}

interface TraceExport {
  readonly resourceSpans: readonly {
    readonly resource: Resource;
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

interface MetricExport {
  readonly resourceMetrics: readonly {
    readonly resource: Resource;
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly unit?: string;
        readonly histogram?: { readonly dataPoints: readonly SentPoint[] };
      }[];
    }[];
  }[];
}

type Values = { readonly [name: string]: unknown };

/** A span, in a form that tests compare. */
export interface CollectedSpan extends Omit<SentSpan, 'attributes' | 'kind' | 'status' | 'links'> {
  readonly service: unknown;
  readonly kind: 'client' | 'server' | 'internal';
  readonly attributes: Values;
  readonly isError: boolean;
  readonly message: string | undefined;
  readonly links: readonly string[];
}

/** One time series of a histogram. */
export interface CollectedHistogram {
  readonly name: string;
  readonly unit: string | undefined;
  readonly attributes: Values;
  readonly count: number;
  readonly bounds: readonly number[];
}

/** A request of an exporter. */
export interface ExportRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Takes what OTLP exporters send over HTTP on the loopback, and keeps it. */
export class Collector implements AsyncDisposable {
  readonly requests: ExportRequest[] = [];
  readonly #server = createServer((request, response) => {
    void this.#take(request).then(() => {
      if (this.answers) response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  #port = 0;
  /** Whether requests are answered. */
  answers = true;

  static async start(): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    collector.#port = (collector.#server.address() as AddressInfo).port;
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The environment of a program that exports to this collector in JSON, soon. */
  get environment() {
    return {
      ...compileCache,
      OTEL_EXPORTER_OTLP_ENDPOINT: this.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    };
  }

  get spans(): readonly CollectedSpan[] {
    return this.#sent<TraceExport>('/v1/traces').flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => collected(span, valuesOf(resource.attributes)['service.name'])),
        ),
      ),
    );
  }

  /** The histograms of the last export of each resource and scope. */
  get histograms(): readonly CollectedHistogram[] {
    return this.#sent<MetricExport>('/v1/metrics').flatMap(({ resourceMetrics }) =>
      resourceMetrics.flatMap(({ scopeMetrics }) =>
        scopeMetrics.flatMap(({ metrics }) =>
          metrics.flatMap(({ name, unit, histogram }) =>
            (histogram?.dataPoints ?? []).map(({ attributes, count, explicitBounds }) => ({
              name,
              unit,
              attributes: valuesOf(attributes),
              count: Number(count),
              bounds: explicitBounds,
            })),
          ),
        ),
      ),
    );
  }

  /** The attributes of the resource of each export of spans. */
  get resources(): readonly Values[] {
    return this.#sent<TraceExport>('/v1/traces').flatMap(({ resourceSpans }) =>
      resourceSpans.map(({ resource }) => valuesOf(resource.attributes)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #take(request: IncomingMessage): Promise<void> {
    const { url: path, headers } = request;
    const sent = await buffer(request);
    this.requests.push({
      path,
      headers,
      body: headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent,
    });
  }

  #sent<Body>(path: string): Body[] {
    return this.requests
      .filter((each) => each.path === path && each.headers['content-type'] === 'application/json')
      .map(({ body }) => JSON.parse(body.toString()) as Body);
  }
}

const kinds = { 1: 'internal', 2: 'server', 3: 'client' } as const;

function collected(
  { attributes, kind, status, links = [], ...span }: SentSpan,
  service: unknown,
): CollectedSpan {
  return {
    ...span,
    service,
    kind: kinds[kind as keyof typeof kinds],
    attributes: valuesOf(attributes),
    isError: status?.code === 2,
    message: status?.message,
    links: links.map(({ spanId }) => spanId),
  };
}

function valuesOf(attributes: readonly SentAttribute[] = []): Values {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
