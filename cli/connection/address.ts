// The addresses under which people and programs reach this Weir.
import { cleanBaseUrl } from '../../core/contract/url.ts'
import { localAddress, type Config } from '../../core/config.ts'
import type { GatewayConnection } from './connect.ts'
import { GatewayRefusal } from '../failure.ts'
import { words } from '../texts.ts'

/**
 * Returns ServerAddress as the operator set it, otherwise the address where the server answers, otherwise the address
 * on this machine; without a trailing slash. The configuration is read last because it does not describe a server
 * elsewhere.
 */
export async function getPublicAddress(
  { client, address }: Pick<GatewayConnection, 'client' | 'address'>,
  place: { readonly config: Pick<Config, 'host' | 'port' | 'base_path'> },
): Promise<string> {
  const { server_address } = await client.site.status()
  return cleanBaseUrl(server_address.trim() || (await address()) || localAddress(place.config))
}

/** Returns the address where the gateway answers calls now. @throws Refusal if no server is running */
export async function getRunningAddress({ address }: Pick<GatewayConnection, 'address'>): Promise<string> {
  const found = await address()
  if (found !== undefined) return cleanBaseUrl(found)
  throw new GatewayRefusal(words('No gateway is running here: start it with `weir serve`.'), 'no_server')
}

/** Returns the flags that name this data folder and this address again. Empty if both are the defaults. */
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
