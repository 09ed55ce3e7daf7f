// The key of one of the caller's tokens: the named one, or the newest.
import type { WeirClient } from '../core/contracts.ts'
import { fullKey, TOKEN_STATUS, tokenStatus } from '../core/tokens/token.ts'
import { Refusal } from './failure.ts'
import { words } from './texts.ts'
import { needToken, ownTokens } from './nouns/token.ts'

/**
 * Returns the key by the token's id, name or the key itself; without a name, that of the newest working token.
 * @throws Refusal if there is none
 */
export async function tokenKey(weir: WeirClient, requested: string | undefined): Promise<string> {
  if (requested?.startsWith('sk-')) return requested
  if (requested !== undefined) return fullKey((await needToken(weir, requested)).key)
  const now = Math.floor(Date.now() / 1000)
  for await (const page of ownTokens(weir)) {
    const found = page.find((token) => tokenStatus(token, now) === TOKEN_STATUS.enabled)
    if (found) return fullKey((await weir.tokens.get({ id: found.id })).key)
  }
  throw new Refusal(words('No own token works: `weir tokens add` makes one.'), 'token.missing')
}
