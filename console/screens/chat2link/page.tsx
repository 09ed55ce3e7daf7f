// Redirects to the first saved chat as soon as its key is loaded.
import { useEffect } from 'react'
import { fillChatLink, parseSavedChats } from '../../../core/contract/chat-links.ts'
import { storedPreferences, usePreference } from '../../data/preferences.ts'
import { useServerAddress } from '../../data/status.ts'
import { useText } from '../../data/texts.tsx'
import { OpeningChat, MissingChat } from '../chat/page.tsx'
import { KeyFailure } from '../keys/page.tsx'
import { useEnabledTokens, useTokenKey } from '../keys/use-enabled-tokens.ts'

export function Page() {
  const t = useText()
  const address = useServerAddress()
  const status = usePreference(storedPreferences.status)
  const { tokens, why, retry } = useEnabledTokens()
  const { key, ...keyState } = useTokenKey(tokens?.[0])
  const chats = status ? parseSavedChats(status.chats) : []
  const [chat] = chats ?? []
  useEffect(() => {
    if (chat && key) window.location.replace(fillChatLink(chat, { key, address }))
  }, [chat, key, address])
  if (!chats) return <MissingChat title={t('chat data parse failure')} />
  if (status && !chat) return <MissingChat title={t('Please contact the administrator to configure chat links')} />
  if (!tokens && why) return <KeyFailure why={why} retry={retry} />
  if (tokens && !key && keyState.why) return <KeyFailure why={keyState.why} retry={keyState.retry} />
  return <OpeningChat />
}
