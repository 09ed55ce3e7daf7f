// Who a client address stands for, where nothing better tells askers apart.
import ipaddr from 'ipaddr.js'

const SHARED_BITS = 64

/** Who an address is: with IPv6 one home has a whole network of them. */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${SHARED_BITS}`).toString()
}
