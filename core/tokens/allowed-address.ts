// May a token be used from this address? One address or CIDR range per line; unreadable lines match nothing.
import ipaddr from 'ipaddr.js'
import { parseSeparatedList } from './token.ts'

/** Is this an address or a range of them? */
export const isAddressOrRange = (line: string): boolean => ipaddr.isValid(line) || ipaddr.isValidCIDR(line)

/** True when the list is empty or names the address. IPv4 written inside IPv6 counts as IPv4. */
export function isAddressAllowed(address: string, allowIps: string): boolean {
  if (allowIps === '') return true
  const lines = parseSeparatedList(allowIps)
  if (lines.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const from = ipaddr.process(address)
  return lines.some((line) => {
    if (ipaddr.isValidCIDR(line)) {
      const [range, bits] = plainRange(line)
      return range.kind() === from.kind() && from.match(range, bits)
    }
    return ipaddr.isValid(line) && ipaddr.process(line).toNormalizedString() === from.toNormalizedString()
  })
}

/** Parses a CIDR range, as IPv4 if it is an IPv4 range written inside IPv6. */
function plainRange(line: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [range, bits] = ipaddr.parseCIDR(line)
  const inside = range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress() && bits >= 96
  return inside ? [range.toIPv4Address(), bits - 96] : [range, bits]
}
