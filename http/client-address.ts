// The client's address behind proxies: each proxy appends the address of its client to X-Forwarded-For, so the list is read from
// the right, and only as far as the proxies that wrote it are trusted.
import { BlockList, isIP } from 'node:net'
import { memoizeOn } from '../core/derived.ts'
import type { Settings } from '../core/index.ts'

/** Returns the addresses and networks of the operator's proxies; undefined if there are none. */
export const trustedProxies = (settings: Pick<Settings, 'TrustedProxies'>): BlockList | undefined =>
  memoizeOn(settings, toBlockList)

/**
 * Finds the address that a request comes from.
 * @param remote the address of the connection
 * @param forwarded the X-Forwarded-For header; any client can send one, so it counts only from a trusted proxy
 * @param proxies the operator's proxies
 */
export function clientAddress(remote: string, forwarded: string | undefined, proxies: BlockList | undefined): string {
  let address = plain(remote)
  if (proxies === undefined || forwarded === undefined) return address
  const hops = forwarded.split(',')
  while (hops.length > 0 && isListed(proxies, address)) {
    const next = plain(withoutPort(hops.pop() ?? ''))
    // An entry that is not an address is ignored, with all entries before it.
    if (isIP(next) === 0) break
    address = next
  }
  return address
}

/** True if the address is one of the operator's proxies. */
export const isTrusted = (remote: string, proxies: BlockList | undefined): boolean =>
  proxies !== undefined && isListed(proxies, plain(remote))

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const plain = (address: string) =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1]
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
}

function toBlockList({ TrustedProxies: trusted }: Pick<Settings, 'TrustedProxies'>): BlockList | undefined {
  if (trusted.length === 0) return undefined
  const list = new BlockList()
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/')
    const family = getFamily(address)
    if (!family) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function getFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}

function isListed(list: BlockList, address: string): boolean {
  const family = getFamily(address)
  return family !== undefined && list.check(address, family)
}
