// Decides whether an address is public, or in a network that the operator allows.
import ipaddr from 'ipaddr.js'

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
