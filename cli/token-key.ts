// The key of an own token that a person names, or of the one at hand.
import type { WeirClient } from '../core/contracts.ts'
import { words } from '../core/errors.ts'
import { fullKey, TOKEN_STATUS, tokenStatus } from '../core/tokens/token.ts'
import { Refusal } from './failure.ts'

const PAGE = 100

/** By id, name or itself; without a name the newest that works. @throws Refusal where there is none */
export async function tokenKey(weir: WeirClient, asked: string | undefined): Promise<string> {
  if (asked?.startsWith('sk-')) return asked
  if (asked !== undefined && /^\d+$/.test(asked)) return keyOf(weir, Number(asked))
  const now = Math.floor(Date.now() / 1000)
  for (let p = 0; ; p += 1) {
    const { data: page } = await weir.tokens.list({ p, size: PAGE })
    const found = page.find((token) =>
      asked === undefined ? tokenStatus(token, now) === TOKEN_STATUS.enabled : token.name === asked,
    )
    if (found) return keyOf(weir, found.id)
    if (page.length < PAGE) return none(asked)
  }
}

const keyOf = async (weir: WeirClient, id: number) => fullKey((await weir.tokens.get({ id })).key)

function none(asked: string | undefined): never {
  throw new Refusal(
    asked === undefined
      ? words('No own token works: `weir tokens add` makes one.', '没有可用的令牌：用 `weir tokens add` 创建。')
      : words(
          `There is no own token "${asked}": see \`weir tokens\`.`,
          `没有名为 "${asked}" 的令牌：见 \`weir tokens\`。`,
        ),
    'token.missing',
  )
}
