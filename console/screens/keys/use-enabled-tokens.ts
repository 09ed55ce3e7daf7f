// The enabled tokens of whoever is signed in, and the whole key of one; who has none is sent to where one is made.
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { fullKey, TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { texts, useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'

/** As many as the specification has this page load. */
const MOST = 100
/** So long the message stands before the page of tokens comes, in ms. */
const LEAVE_AFTER = 1500

/** Undefined until they are there. `why` says what went wrong with asking. */
export function useEnabledTokens(): { tokens: readonly Token[] | undefined; why: string | null; retry(): void } {
  const t = useTexts(words)
  const navigate = useNavigate()
  const { data, error, loading, reload } = useEndpoint(['tokens.list', 'enabled'], async () => {
    const { data: all } = await client.tokens.list({ p: 0, size: MOST })
    return all.filter(({ status }) => status === TOKEN_STATUS.enabled)
  })
  const isNone = data?.length === 0 && !loading
  useEffect(() => {
    if (!isNone) return
    notify.error(t.none)
    const timer = setTimeout(() => void navigate('/token'), LEAVE_AFTER)
    return () => clearTimeout(timer)
  }, [isNone, navigate, t])
  return { tokens: data, why: error, retry: reload }
}

/** With its prefix; undefined until it is there. A list has of each key its ends alone. */
export function useKey(token: Token | undefined) {
  const id = token?.id
  const { data, error, reload } = useEndpoint(['tokens.get', id], async () => {
    if (id === undefined) return null
    return { id, key: fullKey((await client.tokens.get({ id })).key) }
  })
  // While another one is asked for, the last one stands.
  return { key: data?.id === id ? data?.key : undefined, why: error, retry: reload }
}

const words = texts({
  en: { none: 'no enabled token, check that one is enabled' },
  zh: { none: '找不到已启用的令牌，请先启用至少一个' },
})
