import { bothObservers } from '../../define/both-observers.ts';
import type { Server } from '../../define/server.ts';
import { type ObservedRequest, type Observer, type Outcome, outcomeWord } from '../../define/observer.ts';
import { revisionNamed, versions } from '../../revisions/table.ts';

/** What an endpoint has now. */
export interface Gauges {
  readonly streams: number;
  readonly sessions: number;
  readonly subscriptions: number;
}

/** The upper bounds of the buckets, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

interface Durations {
  readonly buckets: number[];
  sum: number;
  count: number;
}

type Kind = 'counter' | 'gauge' | 'histogram';
type Labels = { readonly [name: string]: string };

/**
 * Counts requests, in the text format of Prometheus. The values of labels are names that this library has, so
 * that a client cannot make time series: methods that it does not have are "other".
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export class Metrics implements Pick<Observer, 'received'> {
  static readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #methods: ReadonlySet<string>;
  /** Numbers of requests by outcome, by method. */
  readonly #requests = new Map<string, Map<string, number>>();
  readonly #durations = new Map<string, Durations>();
  readonly #responses = new Map<number, number>();

  /** @param extensions those of the server, whose methods have time series of their own */
  constructor(extensions: Server['definition']['extensions'] = []) {
    const own = versions.flatMap((version) => [...(revisionNamed(version)?.requests ?? [])]);
    const others = extensions.flatMap(({ extension }) => Object.keys(extension.methods));
    this.#methods = new Set([...own, 'initialize', ...others]);
  }

  /** The same server, whose requests are counted. */
  measured(server: Server): Server {
    const { definition } = server;
    return { ...server, definition: { ...definition, observe: bothObservers(definition.observe, this) } };
  }

  received({ method }: Pick<ObservedRequest, 'method'>) {
    const known = this.#methods.has(method) ? method : 'other';
    const from = performance.now();
    return {
      run: <T>(work: () => T) => work(),
      ended: (outcome: Outcome) =>
        this.#ended(known, outcomeWord(outcome), (performance.now() - from) / 1_000),
    };
  }

  /** Counts an HTTP response. */
  responded(status: number): void {
    this.#responses.set(status, (this.#responses.get(status) ?? 0) + 1);
  }

  /** All metrics as text. */
  text({ streams, sessions, subscriptions }: Gauges): string {
    const lines: string[] = [];
    const family = (name: string, kind: Kind, help: string) => {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`);
      return (value: number, labels: Labels = {}, suffix = '') => {
        const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
        lines.push(`${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`);
      };
    };
    const requests = family('mcp_requests_total', 'counter', 'Requests by method and outcome.');
    for (const [method, outcomes] of this.#requests)
      for (const [outcome, count] of outcomes) requests(count, { method, outcome });
    const duration = 'mcp_request_duration_seconds';
    const durations = family(duration, 'histogram', 'Seconds from a request to its response.');
    for (const [method, { buckets, sum, count }] of this.#durations) {
      for (const [index, bound] of bounds.entries())
        durations(buckets[index]!, { method, le: String(bound) }, '_bucket');
      durations(count, { method, le: '+Inf' }, '_bucket');
      durations(sum, { method }, '_sum');
      durations(count, { method }, '_count');
    }
    const responses = family(
      'mcp_http_responses_total',
      'counter',
      'HTTP responses that have ended, by status.',
    );
    for (const [status, count] of this.#responses) responses(count, { code: String(status) });
    family('mcp_streams', 'gauge', 'Open streams on which clients listen.')(streams);
    family('mcp_sessions', 'gauge', 'Sessions in the memory of this process.')(sessions);
    family('mcp_subscriptions', 'gauge', 'Subscriptions to resources.')(subscriptions);
    const { rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    family('process_resident_memory_bytes', 'gauge', 'Resident memory in bytes.')(rss);
    family('process_cpu_seconds_total', 'counter', 'CPU time in seconds.')((user + system) / 1e6);
    family(
      'process_start_time_seconds',
      'gauge',
      'Start of the process in seconds since 1970.',
    )(Date.now() / 1_000 - process.uptime());
    return `${lines.join('\n')}\n`;
  }

  #ended(method: string, outcome: string, seconds: number): void {
    const outcomes = this.#requests.get(method) ?? new Map<string, number>();
    this.#requests.set(method, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
    let durations = this.#durations.get(method);
    if (!durations) {
      durations = { buckets: bounds.map(() => 0), sum: 0, count: 0 };
      this.#durations.set(method, durations);
    }
    durations.sum += seconds;
    durations.count++;
    for (const [index, bound] of bounds.entries()) if (seconds <= bound) durations.buckets[index]!++;
  }
}
