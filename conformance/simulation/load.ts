import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import v8 from 'node:v8';
import { faults } from './faults.ts';
import type { simulate } from './simulation.ts';

// For `drain` of a world.
v8.setFlagsFromString('--allow-natives-syntax');

const root = pathToFileURL(join(import.meta.dirname, '..', '..')).href;
const client = new URL('redis-client.ts', import.meta.url).href;

/** Modules that are loaded with `?fault=` have that fault, and so have all modules that they import. */
registerHooks({
  resolve(specifier, context, next) {
    const found =
      specifier === '@redis/client' ? { url: client, shortCircuit: true } : next(specifier, context);
    const fault = faultIn(context.parentURL);
    const isOurs = found.url.startsWith(root) && !found.url.includes('/node_modules/');
    return fault === undefined || !isOurs || found.url.includes('?')
      ? found
      : { ...found, url: `${found.url}?fault=${fault}` };
  },
  load(url, context, next) {
    const loaded = next(url, context);
    const fault = faultIn(url);
    if (fault === undefined) return loaded;
    let text = Buffer.from(loaded.source as Uint8Array).toString();
    for (const { file, old, now } of faults[Number(fault)]!.edits) {
      if (!url.includes(`/packages/${file}?`)) continue;
      if (text.split(old).length !== 2) throw new Error(`${file} does not have once: ${old}`);
      text = text.replace(old, () => now);
    }
    return { ...loaded, source: text };
  },
});

function faultIn(url: string | undefined): string | undefined {
  return url?.split('?fault=')[1];
}

/** Loads the simulation, with the code as it is or with a fault, given by its number in `faults`. */
export async function simulationWith(fault?: number): Promise<{ readonly simulate: typeof simulate }> {
  const query = fault === undefined ? '' : `?fault=${fault}`;
  return (await import(`./simulation.ts${query}`)) as { readonly simulate: typeof simulate };
}
