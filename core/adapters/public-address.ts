// Which addresses are public, and which others the operator lets in.
import ipaddr from 'ipaddr.js'

/** Everything that is routed on the public internet lies in here; the rest of IPv6 is reserved, translated or local. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3')

/** May this address be connected to? `networks` are CIDR texts; ones that cannot be read allow nothing. */
export function isReachableAddress(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address in IPv6 clothes is judged as what it is.
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
