// Resolves a host and checks its addresses before anything is connected to. Every client whose target is chosen by a
// user or a provider uses it.
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { PRIVATE_ADDRESS_CODE } from './start-error.ts'
import ipaddr from 'ipaddr.js'

// Decides whether an address is public, or in a network that the operator allows.

/** The range of globally routed IPv6 addresses; the rest is reserved, translated or local. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3')

/** True if this address may be connected to. `networks` are CIDR texts; invalid ones allow nothing. */
export function isReachableAddress(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4-mapped IPv6 address is checked as IPv4.
  const parsed = ipaddr.process(address)
  return isPublic(parsed) || networks.some((network) => contains(network, parsed))
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_V6)
}

function contains(network: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!isNetwork(network)) return false
  const [base, bits] = ipaddr.parseCIDR(network)
  return base.kind() === address.kind() && address.match([base, bits] as [ipaddr.IPv4, number])
}

const isNetwork = (text: string): boolean => ipaddr.isValidCIDR(text)

export interface HostAddress {
  address: string
  family: number
}

/** Returns every address of a host name. */
export type ResolveHost = (host: string) => Promise<HostAddress[]>

export const resolveHostAddresses: ResolveHost = (host) => lookup(host, { all: true, verbatim: true })

/** A host that may not be connected to. */
export class PrivateAddressError extends Error {
  readonly code = PRIVATE_ADDRESS_CODE

  constructor(host: string) {
    super(`${host} is not a public address`)
  }
}

/** Returns a host without the brackets of an IPv6 address such as `[::1]`. */
export const stripBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

/**
 * Resolves a host. All of its addresses must be allowed, because a name with both good and bad ones is likely an
 * attack.
 * @throws PrivateAddress if one of them is neither public nor in `networks` (CIDR texts); any error of the look-up
 */
export async function resolveReachable(
  host: string,
  networks: readonly string[],
  resolve: ResolveHost = resolveHostAddresses,
): Promise<HostAddress[]> {
  const hostname = stripBrackets(host)
  const family = isIP(hostname)
  const addresses = family ? [{ address: hostname, family }] : await resolve(hostname)
  if (addresses.length === 0 || addresses.some(({ address }) => !isReachableAddress(address, networks)))
    throw new PrivateAddressError(hostname)
  return addresses
}

/** Answers a connection's own look-up with addresses that have been checked. */
export function answerCheckedLookup(
  addresses: readonly HostAddress[],
  { all }: { all?: boolean },
  done: Parameters<LookupFunction>[2],
): void {
  if (all) done(null, [...addresses])
  else done(null, addresses[0]?.address ?? '', addresses[0]?.family)
}
