import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** The tests watch the child processes of their own process, so that no other file may have some there. */
export default mergeConfig(shared, defineConfig({ test: { isolate: true } }));
