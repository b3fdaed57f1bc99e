import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { within } from '@mcp/kit';
import type * as apiPackage from '@opentelemetry/api';
import type * as resourcesPackage from '@opentelemetry/resources';
import type * as sdkNodePackage from '@opentelemetry/sdk-node';
import type { Observer } from '../define/observer.ts';
import { containing, ownPackage } from '../platform/own-package.ts';
import { diagnose } from './diagnose.ts';
import { observerWith } from './observer-with.ts';

const sdkName = '@opentelemetry/sdk-node';

/** Milliseconds that the last spans and metrics have to be sent when the program ends. */
const flushMs = 1_000;

/** A program that exports what it observes. */
export interface ExportingProgram {
  /** The name and the version of the service, unless the environment names another. */
  readonly name: string;
  readonly version: string;
  /** How to start the program with the SDK, for the error that it is missing. */
  readonly command: string;
  /** Paths of which the SDK is not loaded, because a client may write to them. */
  readonly allowed: readonly string[];
  /** Writes a line to stderr. */
  readonly warn: (message: string) => void;
}

export interface TelemetryExport {
  readonly observer: Observer;
  /** Sends what is left, for at most a second. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the SDK of OpenTelemetry, which is installed with this program, with the settings of the standard
 * environment variables `OTEL_…`. Throws if the SDK is not installed, or lies in an allowed directory.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function startExport(program: ExportingProgram): TelemetryExport {
  const { name, version, warn } = program;
  const { api, sdkNode, resources } = loadSdk(program);
  const service = resources.resourceFromAttributes({ 'service.name': name, 'service.version': version });
  const sdk = diagnose(api, warn, () => {
    const made = new sdkNode.NodeSDK({
      resource: resources.defaultResource().merge(service),
      logRecordProcessors: [],
      // The SDK would also send the arguments of the command line, which may contain a token, and the user.
      ...(!process.env['OTEL_NODE_RESOURCE_DETECTORS'] && { resourceDetectors: [resources.envDetector] }),
    });
    made.start();
    return made;
  });
  return {
    observer: observerWith(api),
    stop: () =>
      within(
        flushMs,
        sdk.shutdown().catch(() => undefined),
      ).then(() => undefined),
  };
}

interface Sdk {
  readonly sdkNode: typeof sdkNodePackage;
  readonly api: typeof apiPackage;
  readonly resources: typeof resourcesPackage;
}

function loadSdk({ command, allowed }: ExportingProgram): Sdk {
  const directory = ownPackage(sdkName);
  if (directory === undefined)
    throw new Error(`--otel needs the package ${sdkName}, installed with this program: ${command}`);
  const around = containing(directory, allowed);
  if (around !== undefined)
    throw new Error(
      `${directory} is not loaded, because it lies in the allowed directory ${around}; install it outside`,
    );
  // What the SDK itself uses: another copy of its API would not know the SDK.
  const load = createRequire(join(realpathSync(directory), 'package.json'));
  return {
    sdkNode: load(directory) as Sdk['sdkNode'],
    api: load('@opentelemetry/api') as Sdk['api'],
    resources: load('@opentelemetry/resources') as Sdk['resources'],
  };
}
