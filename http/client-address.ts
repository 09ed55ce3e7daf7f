// Whose request it is where proxies stand in between: each proxy adds the address it was asked from at the right end of
// X-Forwarded-For, so the list is believed from the right, and only as far as those who wrote it are trusted.
import { BlockList, isIP } from 'node:net'
import { memoizeOn } from '../core/derived.ts'
import type { Settings } from '../core/index.ts'

/** Addresses and networks of the operator's own proxies, ready to be looked up; undefined where there are none. */
export const trustedProxies = (settings: Pick<Settings, 'TrustedProxies'>): BlockList | undefined =>
  memoizeOn(settings, listOf)

/**
 * The address a request comes from.
 * @param remote who is connected to us
 * @param forwarded the X-Forwarded-For header; anybody can send one, so it counts only from a trusted proxy
 * @param proxies the operator's own
 */
export function clientAddress(remote: string, forwarded: string | undefined, proxies: BlockList | undefined): string {
  let address = plain(remote)
  if (proxies === undefined || forwarded === undefined) return address
  const hops = forwarded.split(',')
  while (hops.length > 0 && isIn(proxies, address)) {
    const next = plain(withoutPort(hops.pop() ?? ''))
    // What is no address says nothing, and neither does what stands before it.
    if (isIP(next) === 0) break
    address = next
  }
  return address
}

/** Is this one of the operator's own proxies? */
export const isTrusted = (remote: string, proxies: BlockList | undefined): boolean =>
  proxies !== undefined && isIn(proxies, plain(remote))

/** IPv4 in the clothes of IPv6 as what it is. */
const plain = (address: string) =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1]
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
}

function listOf({ TrustedProxies: trusted }: Pick<Settings, 'TrustedProxies'>): BlockList | undefined {
  if (trusted.length === 0) return undefined
  const list = new BlockList()
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    if (!family) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}

function isIn(list: BlockList, address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && list.check(address, family)
}
