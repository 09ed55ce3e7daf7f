// Under which address people and programs find this Weir.
import { cleanBaseUrl } from '../core/contract/base-url.ts'
import type { Config } from '../core/config.ts'
import { words } from '../core/errors.ts'
import type { Connection } from './connect.ts'
import { Refusal } from './failure.ts'

const ANY = ['0.0.0.0', '::', '']

/** The address in a browser on this machine. */
export function localAddress({ host, port, base_path = '/' }: Pick<Config, 'host' | 'port' | 'base_path'>): string {
  const name = ANY.includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return cleanBaseUrl(`http://${name}:${port}/${base_path.replace(/^\/+/, '')}`)
}

/**
 * What the operator set as ServerAddress, else where the server answers, else the address on this machine; without a slash
 * at its end. The configuration is looked at last, for a server elsewhere has nothing to do with it.
 */
export async function publicAddress(
  { client, address }: Pick<Connection, 'client' | 'address'>,
  place: { readonly config: Pick<Config, 'host' | 'port' | 'base_path'> },
): Promise<string> {
  const { server_address } = await client.site.status()
  return cleanBaseUrl(server_address.trim() || (await address()) || localAddress(place.config))
}

/** Where the gateway answers calls right now. @throws Refusal where none is running */
export async function runningAddress({ address }: Pick<Connection, 'address'>): Promise<string> {
  const found = await address()
  if (found !== undefined) return cleanBaseUrl(found)
  throw new Refusal(
    words('No gateway is running here: start it with `weir serve`.', '此处没有运行中的网关：请用 `weir serve` 启动。'),
    'no_server',
  )
}

/** The flags that name this data folder and this address again; nothing where they are the usual ones. */
export function placeFlags({
  data,
  port,
  host,
  base_path = '/',
}: Pick<Config, 'data' | 'host' | 'port' | 'base_path'>): string[] {
  const flags = {
    '--data': [data, './weir-data'],
    '--host': [host, '127.0.0.1'],
    '--port': [String(port), '3000'],
    '--base-path': [base_path, '/'],
  }
  return Object.entries(flags).flatMap(([flag, [value, usual]]) => (value === usual ? [] : [`${flag} ${value}`]))
}
