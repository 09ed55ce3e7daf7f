// The first call of a token as it arrives: waiting, answered with its time and cost, or failed with the reason and
// advice. A token that was used before shows its latest call until another one arrives.
import { IconAlertTriangle, IconTickCircle } from '@douyinfe/semi-icons'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { LOG_ROW_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { buildFirstBody } from '../../../core/tokens/guides.ts'
import type { Token } from '../../../core/tokens/token.ts'
import { toServerAddress } from '../../data/base.ts'
import { followLogRows } from '../../data/follow.ts'
import { useFormat } from '../../data/use-format.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { getCurrentLanguage, useText } from '../../data/texts.tsx'
import { PhraseWithTime, RelativeTime, WHEN } from '../../parts/text/time.tsx'
import { Button } from '../../semi.ts'
import { parseDetail } from '../logs/detail.ts'
import { ADVICE, type CallRefusal, chooseAdvice } from './advice.ts'
import './connect.css'

interface Props {
  call: FirstCallState
  model: string
  /** Called before a link to the log leaves the surrounding dialog. */
  onLeave?(): void
}

export function FirstCall({ call, model, onLeave }: Props) {
  const t = useText()
  const { row, sent, logError: deaf } = call
  const sending = sent?.state === 'sending' && !row
  return (
    <section className="first-call" aria-label={call.isUsed ? t('Latest call') : t('First call')}>
      <div role="status" className="first-call-state">
        {row ? (
          <Row row={row} sent={sent} onLeave={onLeave} />
        ) : sent?.state === 'answered' ? (
          <Line good title={<Answered sent={sent} />} />
        ) : sent?.state === 'refused' ? (
          <Refused
            {...sent}
            why={sent.message || t('no answer arrived')}
            reached={sent.status >= 500 && sent.code === ''}
          />
        ) : (
          <div className="first-call-line">
            <span className="first-call-pulse" aria-hidden="true" />
            <div>
              <strong>
                {sending
                  ? t('Sending…')
                  : call.isUsed
                    ? t('Waiting for the next call…')
                    : t('Waiting for the first call…')}
              </strong>
              {deaf && <p>{t('This page cannot show when a call arrives: {why}', { why: deaf })}</p>}
            </div>
          </div>
        )}
      </div>
      <Button theme="light" loading={sending} disabled={model === ''} onClick={() => void call.send(model)}>
        {row || sent ? t('Send another') : t('Send one from here')}
      </Button>
    </section>
  )
}

function Row({
  row,
  sent,
  onLeave,
}: {
  row: LogEntry
  sent: SentCall | undefined
  onLeave?: (() => void) | undefined
}) {
  const t = useText()
  const format = useFormat()
  const detail = parseDetail(row.other)
  const inLog = (
    <>
      <PhraseWithTime text={t('{when}.', WHEN)}>
        <RelativeTime seconds={row.created_at} />
      </PhraseWithTime>{' '}
      <Link to={`/log?request_id=${encodeURIComponent(row.request_id)}`} onClick={onLeave}>
        {t('See it in the usage log')}
      </Link>
    </>
  )
  if (row.type === LOG_ROW_TYPE.error) {
    const { status_code: status = 0, error_code } = detail
    return (
      <Refused status={status} code={String(error_code ?? '')} why={row.content} reached={row.channel > 0}>
        {inLog}
      </Refused>
    )
  }
  const ms = detail.frt || row.use_time * 1000
  return (
    <Line
      good
      title={t(ms > 0 ? 'Answered in {ms}, {cost}' : 'Answered, {cost}', {
        ms: format.duration(ms),
        cost: format.quota(row.quota),
      })}
    >
      {t('{model}, {prompt} tokens in, {completion} out.', {
        model: row.model_name,
        prompt: format.number(row.prompt_tokens),
        completion: format.number(row.completion_tokens),
      })}{' '}
      {sent?.state === 'answered' && sent.text && <q>{sent.text.slice(0, 160)}</q>} {inLog}
    </Line>
  )
}

function Answered({ sent }: { sent: Extract<SentCall, { state: 'answered' }> }) {
  const t = useText()
  const format = useFormat()
  return t('Answered in {ms}', { ms: format.duration(sent.ms) })
}

function Refused({ why, children, ...refusal }: CallRefusal & { why: string; children?: ReactNode }) {
  const t = useText()
  const { isAdmin } = useSignedInUser()
  return (
    <Line title={t('The call failed: {why}', { why })}>
      {t(ADVICE[chooseAdvice(refusal, isAdmin)])} {children}
    </Line>
  )
}

function Line({ good, title, children }: { good?: boolean; title: ReactNode; children?: ReactNode }) {
  return (
    <div className={`first-call-line ${good ? 'first-call-good' : 'first-call-bad'}`}>
      {good ? <IconTickCircle aria-hidden /> : <IconAlertTriangle aria-hidden />}
      <div>
        <strong>{title}</strong>
        {children && <p>{children}</p>}
      </div>
    </div>
  )
}

// Waits for calls of one token, and can send one from this page.

/** The result of a call that was sent from this page. */
export type SentCall =
  | { state: 'sending' }
  | { state: 'answered'; ms: number; text: string }
  | { state: 'refused'; status: number; code: string; message: string }

export interface FirstCallState {
  /** The token was used before the wait began. */
  isUsed: boolean
  /** The latest call of the token, as far as the log has it. */
  row: LogEntry | undefined
  sent: SentCall | undefined
  /** Why the log cannot be followed; undefined if it can. */
  logError: string | undefined
  send(model: string): Promise<void>
}

/** `key` includes its prefix. */
export function useFirstCall(token: Token, key: string): FirstCallState {
  const { id, name } = token
  const isUsed = token.used_quota > 0 || token.accessed_time > token.created_time
  const [row, setRow] = useState<LogEntry>()
  const [sent, setSent] = useState<SentCall>()
  const [deaf, setDeaf] = useState<string>()
  const sending = useRef<AbortController>(undefined)
  useEffect(
    () =>
      followLogRows({
        endpoint: 'streamSelf',
        filter: { token_name: name, tail: isUsed ? LATEST_ROWS : 0 },
        // Several tokens may have the same name.
        onRow: (entry) => entry.token_id === id && isCall(entry) && setRow(entry),
        onState: (now) => setDeaf(typeof now === 'object' ? now.refused : undefined),
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a first call does not begin the stream again
    [id, name],
  )
  useEffect(() => () => sending.current?.abort(), [])
  const send = useCallback(
    async (model: string) => {
      sending.current?.abort()
      const ending = (sending.current = new AbortController())
      setRow(undefined)
      setSent({ state: 'sending' })
      const outcome = await firstAnswer(key, model, ending.signal)
      if (!ending.signal.aborted) setSent(outcome)
    },
    [key],
  )
  return { isUsed, row, sent, logError: deaf, send }
}

/** Number of rows to look through for the latest call: several tokens may have the same name. */
const LATEST_ROWS = 20

const isCall = ({ type }: LogEntry) => type === LOG_ROW_TYPE.consumption || type === LOG_ROW_TYPE.error

interface ChatAnswer {
  choices?: { message?: { content?: unknown } }[]
  error?: { message?: string; code?: unknown }
}

/** Calls the gateway as any client would: at the relay endpoint, with only the key. */
async function firstAnswer(key: string, model: string, signal: AbortSignal): Promise<SentCall> {
  const began = performance.now()
  try {
    const response = await fetch(toServerAddress('/v1/chat/completions'), {
      method: 'POST',
      signal,
      credentials: 'omit',
      cache: 'no-store',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'accept-language': getCurrentLanguage(),
      },
      body: JSON.stringify(buildFirstBody(model)),
    })
    const { status } = response
    const answer = (await response.json()) as ChatAnswer
    if (!response.ok)
      return { state: 'refused', status, code: String(answer.error?.code ?? ''), message: answer.error?.message ?? '' }
    const text = answer.choices?.[0]?.message?.content
    return { state: 'answered', ms: performance.now() - began, text: typeof text === 'string' ? text : '' }
  } catch (error) {
    return { state: 'refused', status: 0, code: '', message: String(error) }
  }
}
