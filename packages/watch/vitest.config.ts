import { mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** These tests wait more than they work. */
export default mergeConfig(shared, { test: { maxWorkers: 4 } });
