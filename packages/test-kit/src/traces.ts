import { context, metrics, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { expect } from 'vitest';
import { type CollectedSpan, Collector } from './collector.ts';

/** The SDK in this process, and the collector that gets what the SDK exports. */
export class Traces implements AsyncDisposable {
  readonly collector: Collector;
  readonly #sdk: NodeSDK;

  private constructor(collector: Collector, sdk: NodeSDK) {
    this.collector = collector;
    this.#sdk = sdk;
  }

  static async start(environment: { readonly [name: string]: string } = {}): Promise<Traces> {
    const collector = await Collector.start();
    const interval = { OTEL_METRIC_EXPORT_INTERVAL: '100', OTEL_METRIC_EXPORT_TIMEOUT: '100' };
    const added = { ...collector.environment, ...interval, ...environment };
    Object.assign(process.env, added);
    const sdk = new NodeSDK({ resourceDetectors: [], logRecordProcessors: [] });
    sdk.start();
    for (const name of Object.keys(added)) delete process.env[name];
    return new Traces(collector, sdk);
  }

  /** Runs `work` in a span, and returns the spans of its trace, of which `count` are waited for. */
  async of(count: number, work: () => Promise<unknown>): Promise<readonly CollectedSpan[]> {
    const root = trace.getTracer('test').startSpan('test', {}, ROOT_CONTEXT);
    try {
      await context.with(trace.setSpan(ROOT_CONTEXT, root), work);
    } finally {
      root.end();
    }
    const { traceId } = root.spanContext();
    const found = () => this.collector.spans.filter((span) => span.traceId === traceId);
    await expect.poll(() => found().map(({ name }) => name), { timeout: 10_000 }).toHaveLength(count + 1);
    return found();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sdk.shutdown();
    for (const api of [trace, metrics, context, propagation]) api.disable();
    await this.collector[Symbol.asyncDispose]();
  }
}

/** The spans as a tree: each with the names of its ancestors. */
export function treeOf(spans: readonly CollectedSpan[]): string[] {
  const line = (span: CollectedSpan): string => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    const own = `${span.kind} ${span.name}`;
    return parent ? `${line(parent)} > ${own}` : own;
  };
  return spans.map(line).sort();
}
