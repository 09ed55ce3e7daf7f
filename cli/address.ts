// Under which address people and programs find this Weir.
import { cleanBaseUrl } from '../core/contract/base-url.ts'
import type { Config } from '../core/config.ts'
import type { Connection } from './connect.ts'

const ANY = ['0.0.0.0', '::', '']

/** The address in a browser on this machine. */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = ANY.includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/**
 * What the operator set as ServerAddress, else where the server answers, else the address on this machine; without a slash
 * at its end. The configuration is looked at last, for a server elsewhere has nothing to do with it.
 */
export async function publicAddress(
  { client, address }: Pick<Connection, 'client' | 'address'>,
  place: { readonly config: Pick<Config, 'host' | 'port'> },
): Promise<string> {
  const { server_address } = await client.site.status()
  return cleanBaseUrl(server_address.trim() || (await address()) || localAddress(place.config))
}

/** The flags that name this data folder and this address again; nothing where they are the usual ones. */
export function placeFlags({ data, port, host }: Pick<Config, 'data' | 'host' | 'port'>): string[] {
  const flags = { '--data': [data, './weir-data'], '--host': [host, '127.0.0.1'], '--port': [String(port), '3000'] }
  return Object.entries(flags).flatMap(([flag, [value, usual]]) => (value === usual ? [] : [`${flag} ${value}`]))
}
