// A saved chat: the choice of the chat and the token, and its page in a frame.
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import {
  fillChatLink,
  parseSavedChats,
  getSite,
  wantsUserKey,
  type SavedChat,
} from '../../../core/contract/chat-links.ts'
import { storedPreferences, usePreference } from '../../data/preferences.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerAddress } from '../../data/status.ts'
import { useText } from '../../data/texts.tsx'
import { SegmentedChoice, type ChoiceOption } from '../../parts/form/choice.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { ForeignFrame } from '../../parts/overlay/foreign-frame.tsx'
import { KeyFailure } from '../keys/page.tsx'
import { useEnabledTokens, useTokenKey } from '../keys/use-enabled-tokens.ts'
import './chat.css'

export function Page() {
  const t = useText()
  const { id } = useParams()
  const { user } = useSignedInUser()
  const { pathname } = useLocation()
  const status = usePreference(storedPreferences.status)
  const remembered = usePreference(storedPreferences.chat)
  if (!status) return <OpeningChat />
  const chats = parseSavedChats(status.chats)
  if (!chats) return <MissingChat title={t('chat data parse failure')} />
  if (chats.length === 0) return <MissingChat title={t('Please contact the administrator to configure chat links')} />
  const at = Number(id ?? (chats[Number(remembered)] ? remembered : 0))
  const chat = chats[at]
  if (!chat) return <MissingChat title={t('Chat link configuration error, contact the administrator')} />
  if (!wantsUserKey(chat)) return <Shown chats={chats} at={at} keyText="" />
  if (user) return <WithToken chats={chats} at={at} />
  return (
    <EmptyState
      page
      title={t('Sign in to chat here')}
      description={t('{name} needs a token of yours.', { name: chat.name })}
    >
      <Link to="/login" state={{ from: pathname }}>
        {t('Login')}
      </Link>
    </EmptyState>
  )
}

interface Chosen {
  chats: readonly SavedChat[]
  at: number
}

function WithToken({ chats, at }: Chosen) {
  const { tokens, why, retry } = useEnabledTokens()
  const remembered = usePreference(storedPreferences.chatToken)
  const token = tokens?.find(({ id }) => id === remembered) ?? tokens?.[0]
  const { key, ...keyState } = useTokenKey(token)
  if (!tokens && why) return <KeyFailure why={why} retry={retry} />
  if (token && !key && keyState.why) return <KeyFailure why={keyState.why} retry={keyState.retry} />
  if (!tokens || !token || !key) return <OpeningChat />
  return (
    <Shown
      chats={chats}
      at={at}
      keyText={key}
      token={{
        value: String(token.id),
        options: tokens.map(({ id, name }) => ({ value: String(id), label: name || String(id) })),
      }}
    />
  )
}

interface ShownProps extends Chosen {
  keyText: string
  token?: { value: string; options: readonly ChoiceOption[] }
}

function Shown({ chats, at, keyText, token }: ShownProps) {
  const t = useText()
  const navigate = useNavigate()
  const address = useServerAddress()
  const chat = chats[at]!
  const link = fillChatLink(chat, { key: keyText, address })
  const site = getSite(link)
  const choose = (place: string) => {
    storedPreferences.chat.write(place)
    void navigate(`/chat/${place}`)
  }
  const tokenName = token?.options.find(({ value }) => value === token.value)?.label ?? ''
  return (
    <div className="chat-page">
      <header className="chat-bar">
        {chats.length > 1 && (
          <SegmentedChoice
            labelled
            label={t('Chat')}
            value={String(at)}
            onChange={choose}
            options={chats.map(({ name }, place) => ({ value: String(place), label: name }))}
          />
        )}
        {token && (
          <SegmentedChoice
            {...token}
            labelled
            label={t('Token')}
            onChange={(id) => storedPreferences.chatToken.write(Number(id))}
          />
        )}
        {site && token && (
          <span role="note" className="chat-warning">
            {t('{site} is another site: it gets the key of this token, and can spend what the token may spend.', {
              site: new URL(site).host,
            })}
          </span>
        )}
        <Link to="/playground">{t('Chat in the playground')}</Link>
        {site && (
          <a href={link} target="_blank" rel="noreferrer noopener">
            {t('Open in a new tab')}
          </a>
        )}
      </header>
      {site ? (
        <ForeignFrame key={link} title={chat.name} address={link} isProgram />
      ) : (
        <EmptyState
          page
          title={t('{name} is a program on your machine', { name: chat.name })}
          description={t('It gets the key of the token {token}.', { token: tokenName })}
        >
          <a className="chat-program" href={link}>
            {t('Open {name}', { name: chat.name })}
          </a>
        </EmptyState>
      )}
    </div>
  )
}

/** Shown until the chat can be opened. */
export function OpeningChat() {
  const t = useText()
  return (
    <p role="status" className="chat-jumping">
      {t('jumping')}
    </p>
  )
}

export function MissingChat({ title }: { title: string }) {
  const t = useText()
  return (
    <EmptyState page title={title}>
      <Link to="/playground">{t('Chat in the playground')}</Link>
    </EmptyState>
  )
}
