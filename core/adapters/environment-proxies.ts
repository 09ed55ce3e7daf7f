// The proxies that the environment names (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`, in upper or lower case), by the rules
// of Go's net/http: https has no other variable, loopback addresses are never proxied, and a host in `NO_PROXY` includes
// its subdomains.
import { BlockList, isIP } from 'node:net'
import { isUrlWithProtocol } from '../contract/url.ts'
import { stripBrackets } from './reachable-addresses.ts'
import { StartError } from './start-error.ts'

export interface EnvironmentProxies {
  /** Returns the address of the proxy for a URL (http, https, ws, wss); undefined if there is none. */
  find(url: string): string | undefined
  /** The variables that count with their values, without passwords; empty if there are no proxies. */
  described: readonly string[]
}

type ProxyVariables = Record<string, string | undefined>

export const NO_ENVIRONMENT_PROXIES: EnvironmentProxies = { find: () => undefined, described: [] }

/** @throws StartError if a variable is not the address of a proxy */
export function readEnvironmentProxies(env: ProxyVariables): EnvironmentProxies {
  const http = readProxy(env, 'HTTP_PROXY')
  const https = readProxy(env, 'HTTPS_PROXY')
  if (!http && !https) return NO_ENVIRONMENT_PROXIES
  const excluded = getVariable(env, 'NO_PROXY')
  const isExcluded = createExclusion(excluded)
  return {
    find(text) {
      const url = new URL(text)
      const proxy = /^(https|wss):$/.test(url.protocol) ? https : http
      return proxy === undefined || isExcluded(url) ? undefined : proxy
    },
    described: [
      ...(http ? [`HTTP_PROXY=${hidePassword(http)}`] : []),
      ...(https ? [`HTTPS_PROXY=${hidePassword(https)}`] : []),
      ...(excluded ? [`NO_PROXY=${excluded}`] : []),
    ],
  }
}

const getVariable = (env: ProxyVariables, name: string): string => (env[name] || env[name.toLowerCase()] || '').trim()

function readProxy(env: ProxyVariables, name: string): string | undefined {
  const text = getVariable(env, name)
  if (text === '') return undefined
  const address = text.includes('://') ? text : `http://${text}`
  if (!isUrlWithProtocol(address, ['http', 'https', 'socks5']))
    throw new StartError(`${name} is not the address of a proxy: write one such as http://proxy.example:3128.`)
  return address
}

function hidePassword(proxy: string): string {
  const url = new URL(proxy)
  if (url.password !== '') url.password = '***'
  return url.href.replace(/\/$/, '')
}

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' }

/** Creates the check whether a URL is reached directly. */
function createExclusion(list: string): (url: URL) => boolean {
  const entries = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
  const networks = new BlockList()
  networks.addSubnet('127.0.0.0', 8)
  networks.addAddress('::1', 'ipv6')
  const hosts: { host: string; port: string }[] = []
  for (const entry of entries) {
    const [, base = '', bits = ''] = /^(.+)\/(\d+)$/.exec(entry) ?? []
    if (isIP(base)) networks.addSubnet(base, Number(bits), `ipv${isIP(base) as 4 | 6}`)
    else if (isIP(stripBrackets(entry)))
      networks.addAddress(stripBrackets(entry), `ipv${isIP(stripBrackets(entry)) as 4 | 6}`)
    else {
      const [, host = entry, port = ''] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
      hosts.push({ host: stripBrackets(host.replace(/^\*?\./, '')), port })
    }
  }
  const all = entries.includes('*')
  return ({ protocol, hostname, port: ownPort }) => {
    const host = stripBrackets(hostname).replace(/\.$/, '')
    const port = ownPort || PORTS[protocol]
    if (all || host === 'localhost') return true
    const family = isIP(host)
    if (family !== 0 && networks.check(host, `ipv${family as 4 | 6}`)) return true
    return hosts.some(
      (entry) =>
        (entry.port === '' || entry.port === port) &&
        (host === entry.host || (family === 0 && host.endsWith(`.${entry.host}`))),
    )
  }
}
