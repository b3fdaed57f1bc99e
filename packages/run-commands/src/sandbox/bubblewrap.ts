import type { Confinement, Sandbox } from './sandbox.ts';
import { hiddenPaths } from './hidden-paths.ts';

/** Returns the sandbox that uses bubblewrap, the program that Flatpak uses. */
export function bubblewrap(program: string): Sandbox {
  return {
    name: 'bubblewrap',
    wrap: (argv, confinement) => [program, ...optionsFor(confinement), '--', ...argv],
  };
}

function optionsFor(confinement: Confinement): string[] {
  const { writable, network, cwd } = confinement;
  const hidden = hiddenPaths(confinement);
  const fixed =
    '--ro-bind / / --dev /dev --proc /proc --unshare-user-try --unshare-pid --unshare-ipc --unshare-uts --die-with-parent';
  return [
    ...fixed.split(' '),
    // If this process is root, bubblewrap would otherwise leave the command the right to change its mounts.
    '--cap-drop',
    'ALL',
    ...(network ? [] : ['--unshare-net']),
    ...hidden.directories.flatMap((each) => ['--tmpfs', each]),
    ...hidden.sockets.flatMap((each) => ['--ro-bind', '/dev/null', each]),
    ...writable.flatMap((each) => ['--bind', each, each]),
    '--chdir',
    cwd,
  ];
}
