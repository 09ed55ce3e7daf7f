// Where channels whose address an administrator set may connect to: public addresses, and the networks that root lists.
import { isIP, type LookupFunction } from 'node:net'
import {
  answerLookup,
  bareHost,
  PrivateAddress,
  resolveAll,
  resolveReachable,
  type Resolve,
} from './reachable-addresses.ts'

/** The guard of one way out. `networks` are CIDR texts, asked for at every connection. */
export interface ChannelGuard {
  /** The networks as one text: connections that were made under another list serve nobody any more. */
  listed(): string
  /**
   * The look-up of every connection that is guarded, to a provider or to a proxy: what a name stands for is compared, and
   * exactly that is connected to.
   */
  lookup: LookupFunction
  /**
   * Compares what no look-up of a connection sees: hosts that are written as addresses, and what a proxy is asked for.
   * A name that is unknown here is left to the proxy.
   * @throws PrivateAddress
   */
  check(url: string, proxy: string | undefined): Promise<void>
}

export function createChannelGuard(networks: () => readonly string[], resolve: Resolve = resolveAll): ChannelGuard {
  return {
    listed: () => networks().join(),
    lookup(host, options, answer) {
      resolveReachable(host, networks(), resolve).then(
        (addresses) => answerLookup(addresses, options, answer),
        (error: NodeJS.ErrnoException) => answer(error, ''),
      )
    },
    async check(url, proxy) {
      const hosts = [url, ...(proxy ? [proxy] : [])].map(hostOf).filter((host) => proxy || isIP(host))
      for (const host of hosts)
        await resolveReachable(host, networks(), resolve).catch((error: unknown) => {
          if (error instanceof PrivateAddress) throw error
        })
    },
  }
}

const hostOf = (url: string): string => bareHost(new URL(url).hostname)
