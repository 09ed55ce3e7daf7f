// The first call of a token as it arrives: waiting, answered with its time and cost, or failed with the reason and
// advice.
import { IconAlertTriangle, IconTickCircle } from '@douyinfe/semi-icons'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { LOG_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { useSession } from '../../data/session.tsx'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { Button } from '../../semi.ts'
import { parseDetail } from '../logs/detail.ts'
import { chooseAdvice, words as advice, type CallRefusal } from './advice.ts'
import { words } from './first-call-texts.ts'
import type { FirstCallState, SentCall } from './use-first-call.ts'
import './connect.css'

interface Props {
  call: FirstCallState
  model: string
  /** Called before a link to the log leaves the surrounding dialog. */
  onLeave?(): void
}

export function FirstCall({ call, model, onLeave }: Props) {
  const t = useTexts(words)
  const { row, sent, logError: deaf } = call
  const sending = sent?.state === 'sending' && !row
  return (
    <section className="first-call" aria-label={t.title}>
      <div role="status" className="first-call-state">
        {row ? (
          <Row row={row} sent={sent} onLeave={onLeave} />
        ) : sent?.state === 'answered' ? (
          <Line good title={<Answered sent={sent} />} />
        ) : sent?.state === 'refused' ? (
          <Refused {...sent} why={sent.message || t.noAnswer} reached={sent.status >= 500 && sent.code === ''} />
        ) : (
          <div className="first-call-line">
            <span className="first-call-pulse" aria-hidden="true" />
            <div>
              <strong>{sending ? t.sending : t.waiting}</strong>
              {deaf && <p>{fillPhrase(t.deaf, { why: deaf })}</p>}
            </div>
          </div>
        )}
      </div>
      <Button theme="light" loading={sending} disabled={model === ''} onClick={() => void call.send(model)}>
        {row || sent ? t.sendAgain : t.send}
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
  const t = useTexts(words)
  const format = useFormat()
  const detail = parseDetail(row.other)
  const inLog = (
    <Link to={`/log?request_id=${encodeURIComponent(row.request_id)}`} onClick={onLeave}>
      {t.seeLog}
    </Link>
  )
  if (row.type === LOG_TYPE.error) {
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
      title={fillPhrase(ms > 0 ? t.answered : t.answeredFor, {
        ms: format.duration(ms),
        cost: format.quota(row.quota),
      })}
    >
      {fillPhrase(t.measure, {
        model: row.model_name,
        prompt: format.number(row.prompt_tokens),
        completion: format.number(row.completion_tokens),
      })}{' '}
      {sent?.state === 'answered' && sent.text && <q>{sent.text.slice(0, 160)}</q>} {inLog}
    </Line>
  )
}

function Answered({ sent }: { sent: Extract<SentCall, { state: 'answered' }> }) {
  const t = useTexts(words)
  const format = useFormat()
  return fillPhrase(t.answeredIn, { ms: format.duration(sent.ms) })
}

function Refused({ why, children, ...refusal }: CallRefusal & { why: string; children?: ReactNode }) {
  const t = useTexts(words)
  const say = useTexts(advice)
  const { isAdmin } = useSession()
  return (
    <Line title={fillPhrase(t.failed, { why })}>
      {say[chooseAdvice(refusal, isAdmin)]} {children}
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
