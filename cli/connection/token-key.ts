// The key of one of the caller's tokens: the named one, or the newest; and the models that a key may call.
import type { WeirClient } from '../../core/contracts.ts'
import { toFullKey, TOKEN_STATUS, getTokenStatus } from '../../core/tokens/token.ts'
import { GatewayRefusal } from '../failure.ts'
import { words } from '../texts.ts'
import { findRequiredToken, listOwnTokens } from '../nouns/token.ts'

/**
 * Returns the key by the token's id, name or the key itself; without a name, that of the newest working token.
 * @throws Refusal if there is none
 */
export async function readTokenKey(weir: WeirClient, requested: string | undefined): Promise<string> {
  if (requested?.startsWith('sk-')) return requested
  if (requested !== undefined) return toFullKey((await findRequiredToken(weir, requested)).key)
  const now = Math.floor(Date.now() / 1000)
  for await (const page of listOwnTokens(weir)) {
    const found = page.find((token) => getTokenStatus(token, now) === TOKEN_STATUS.enabled)
    if (found) return toFullKey((await weir.tokens.get({ id: found.id })).key)
  }
  throw new GatewayRefusal(words('None of your tokens works: `weir tokens add` makes one.'), 'token.missing')
}

/** @throws Refusal if the gateway refuses the key, TypeError if it does not answer */
export async function listModelNames(address: string, key: string): Promise<string[]> {
  const reply = await fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = (await reply.json()) as { data?: { id: string }[] }
  if (!reply.ok || !data) throw new GatewayRefusal(words('The models could not be listed.'), 'models')
  return data.map(({ id }) => id)
}
