import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** Two workers: the start of a third costs more CPU time than its tests, and none of them ends sooner. */
export default mergeConfig(shared, defineConfig({ test: { maxWorkers: 2 } }));
