// What a host stands for, compared before anything is connected to: the one place for every way out that somebody else points.
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { PRIVATE_ADDRESS } from './network-failure.ts'
import { isReachableAddress } from './public-address.ts'

export interface Address {
  address: string
  family: number
}

/** Gives every address of a host name. */
export type Resolve = (host: string) => Promise<Address[]>

export const resolveAll: Resolve = (host) => lookup(host, { all: true, verbatim: true })

/** A host that may not be connected to. */
export class PrivateAddress extends Error {
  readonly code = PRIVATE_ADDRESS

  constructor(host: string) {
    super(`${host} is not a public address`)
  }
}

/** A host as an address, where it is one; `[::1]` without its brackets. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '')

/**
 * The addresses of a host. One bad address is reason enough: a name that points both ways was made to be mistaken for a
 * good one.
 * @throws PrivateAddress when one of them is neither public nor in `networks` (CIDR texts); what the look-up throws
 */
export async function resolveReachable(
  host: string,
  networks: readonly string[],
  resolve: Resolve = resolveAll,
): Promise<Address[]> {
  const bare = bareHost(host)
  const family = isIP(bare)
  const addresses = family ? [{ address: bare, family }] : await resolve(bare)
  if (addresses.length === 0 || addresses.some(({ address }) => !isReachableAddress(address, networks)))
    throw new PrivateAddress(bare)
  return addresses
}

/** Answers a connection's own look-up with addresses that have been compared. */
export function answerLookup(
  addresses: readonly Address[],
  { all }: { all?: boolean },
  done: Parameters<LookupFunction>[2],
): void {
  if (all) done(null, [...addresses])
  else done(null, addresses[0]?.address ?? '', addresses[0]?.family)
}
