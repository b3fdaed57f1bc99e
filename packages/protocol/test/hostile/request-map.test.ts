import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestMap } from '../../src/jsonrpc/request-map.ts';
import { times } from './generated.ts';

const id = fc.oneof(
  fc.integer({ min: -3, max: 4_100 }),
  fc.constantFrom('1', 'a', 2 ** 32 + 1, Number.MAX_SAFE_INTEGER),
);
const steps = fc.array(fc.tuple(fc.constantFrom('set', 'delete'), id), { maxLength: 200 });

test('a map of requests has the entries that a Map has', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2_000 }), steps, (lasting, changes) => {
      const [requests, map] = [new RequestMap<object>(), new Map<string | number, object>()];
      const set = (key: string | number) => {
        const value = { key };
        requests.set(key, value);
        map.set(key, value);
      };
      for (let key = 0; key < lasting; key++) set(key);
      for (const [change, key] of changes) {
        if (change === 'set') set(key);
        if (change === 'delete') {
          requests.delete(key);
          map.delete(key);
        }
        expect(requests.get(key)).toBe(map.get(key));
      }
      expect(requests.size).toBe(map.size);
      expect(new Map(requests.entries())).toEqual(map);
    }),
    { numRuns: 30 * times },
  );
});
