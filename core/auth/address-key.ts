// Identifies a client by its address, if nothing better is known.
import ipaddr from 'ipaddr.js'

const SHARED_BITS = 64

/** Returns the key of an address. With IPv6 a household has a whole network of addresses. */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${SHARED_BITS}`).toString()
}
