import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** Two workers: each file has a Redis server and processes of its own. */
export default mergeConfig(shared, defineConfig({ test: { maxWorkers: 2 } }));
