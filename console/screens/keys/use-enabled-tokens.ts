// Loads the enabled tokens of the signed-in user, and the whole key of one. A user without tokens is led to the page
// that creates one.
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { toFullKey, TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'

/** Maximum number of tokens, from the specification. */
const MOST = 100
/** Time for which the message is shown before the page of tokens opens, in ms. */
const LEAVE_AFTER = 1500

/** `tokens` is undefined until loaded; `why` is the error. */
export function useEnabledTokens(): { tokens: readonly Token[] | undefined; why: string | null; retry(): void } {
  const t = useText()
  const navigate = useNavigate()
  const { data, error, loading, reload } = useEndpointWithError(['tokens.list', 'enabled'], async () => {
    const { data: all } = await apiClient.tokens.list({ p: 0, size: MOST })
    return all.filter(({ status }) => status === TOKEN_STATUS.enabled)
  })
  const isNone = data?.length === 0 && !loading
  useEffect(() => {
    if (!isNone) return
    showNotice.error(t('no enabled token, check that one is enabled'))
    const timer = setTimeout(() => void navigate('/token'), LEAVE_AFTER)
    return () => clearTimeout(timer)
  }, [isNone, navigate, t])
  return { tokens: data, why: error, retry: reload }
}

/** Returns the key with its prefix; undefined until loaded. The list contains only the ends of each key. */
export function useTokenKey(token: Token | undefined) {
  const id = token?.id
  const { data, error, reload } = useEndpointWithError(['tokens.get', id], async () => {
    if (id === undefined) return null
    return { id, key: toFullKey((await apiClient.tokens.get({ id })).key) }
  })
  // While another key is loading, the data still belongs to the last one.
  return { key: data?.id === id ? data?.key : undefined, why: error, retry: reload }
}
