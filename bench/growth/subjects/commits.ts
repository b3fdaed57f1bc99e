import { peakMemoryMb, stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import { changedRepository, ours } from '../../trials/git/git-repository.ts';
import type { Growth } from '../growth.ts';
import { middle } from '../middle.ts';

export const commitsOfHistory: Growth = {
  name: 'commits',
  about:
    'A history: its first page, that of a file which one commit in a hundred changes, the status, and the peak memory of the server.',
  unit: 'commits',
  sizes: [1_000, 10_000, 100_000],
  large: [1_000_000],
  columns: ['log ms', 'history of a file ms', 'status ms', 'peak MB'],
  async measure(size) {
    const server = new Conversation(ours, [changedRepository(size)]);
    await server.call('git_log', { max_count: 1 });
    const log = await middle(5, () => server.call('git_log', { max_count: 50 }));
    const history = await middle(5, () => server.call('git_log', { max_count: 50, files: ['f.txt'] }));
    const status = await middle(5, () => server.call('git_status', {}));
    const memory = peakMemoryMb(server.process);
    await stop(server.process);
    return [log, history, status, memory];
  },
};
