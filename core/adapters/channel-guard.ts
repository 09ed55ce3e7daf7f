// Restricts the addresses that channels configured by an administrator may connect to: public addresses, and the
// networks that root lists.
import { isIP, type LookupFunction } from 'node:net'
import type { ResolveHost } from './reachable-addresses.ts'
import {
  answerCheckedLookup,
  stripBrackets,
  PrivateAddressError,
  resolveHostAddresses,
  resolveReachable,
} from './reachable-addresses.ts'

/** The guard of one upstream client. `networks` returns CIDR texts, at every connection. */
export interface ChannelGuard {
  /** The networks as one text. Connections opened under another list are not reused. */
  listNetworks(): string
  /**
   * Resolves the host of every guarded connection, to a provider or to a proxy. The addresses are checked, and exactly
   * those are connected to.
   */
  lookup: LookupFunction
  /**
   * Checks hosts that a connection does not resolve: IP addresses, and targets of a proxy. A name that cannot be
   * resolved here is left to the proxy. `byEnvironment`: the request uses the proxy of the environment, which is not
   * checked itself.
   * @throws PrivateAddress
   */
  check(url: string, proxy: string | undefined, byEnvironment?: boolean): Promise<void>
}

export function createChannelGuard(
  networks: () => readonly string[],
  resolve: ResolveHost = resolveHostAddresses,
): ChannelGuard {
  return {
    listNetworks: () => networks().join(),
    lookup(host, options, answer) {
      resolveReachable(host, networks(), resolve).then(
        (addresses) => answerCheckedLookup(addresses, options, answer),
        (error: NodeJS.ErrnoException) => answer(error, ''),
      )
    },
    async check(url, proxy, byEnvironment = false) {
      const isProxied = proxy !== undefined || byEnvironment
      const hosts = [url, ...(proxy ? [proxy] : [])].map(parseHost).filter((host) => isProxied || isIP(host))
      for (const host of hosts)
        await resolveReachable(host, networks(), resolve).catch((error: unknown) => {
          if (error instanceof PrivateAddressError) throw error
        })
    },
  }
}

const parseHost = (url: string): string => stripBrackets(new URL(url).hostname)
