// Names of the models that an API token may call.
import { GatewayRefusal } from '../failure.ts'
import { words } from '../texts.ts'

/** @throws Refusal if the gateway refuses the key, TypeError if it does not answer */
export async function listModelNames(address: string, key: string): Promise<string[]> {
  const reply = await fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = (await reply.json()) as { data?: { id: string }[] }
  if (!reply.ok || !data) throw new GatewayRefusal(words('The models could not be listed.'), 'models')
  return data.map(({ id }) => id)
}
