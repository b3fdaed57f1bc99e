import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/**
 * Two workers: each file has a Redis server and processes of its own. Conditions have the time that Redis
 * and leases need on a busy machine.
 */
export default mergeConfig(
  shared,
  defineConfig({ test: { maxWorkers: 2, expect: { poll: { timeout: 20_000 } } } }),
);
