// May a token be used from this address? One address or CIDR range per line; unreadable lines match nothing.
import ipaddr from 'ipaddr.js'
import { listOf } from './token.ts'

/** True when the list is empty or names the address. IPv4 written inside IPv6 counts as IPv4. */
export function addressAllowed(address: string, allowIps: string): boolean {
  const lines = listOf(allowIps)
  if (lines.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const from = ipaddr.process(address)
  return lines.some((line) => {
    if (ipaddr.isValidCIDR(line)) {
      const [range, bits] = ipaddr.parseCIDR(line)
      return range.kind() === from.kind() && from.match(range, bits)
    }
    return ipaddr.isValid(line) && ipaddr.process(line).toNormalizedString() === from.toNormalizedString()
  })
}
