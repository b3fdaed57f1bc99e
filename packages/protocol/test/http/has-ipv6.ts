import { networkInterfaces } from 'node:os';

/** Whether programs may listen on the loopback address of IPv6. */
export const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
);
