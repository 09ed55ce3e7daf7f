// The path of a call on a time line: admission, each attempt with its result and the wait before it, the first content,
// the end.
import type { ChargeExplanation } from '../../../core/logs/explanation.ts'
import { useFormat } from '../../data/use-format.ts'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { useText, texts } from '../../data/texts.tsx'
import { StateTag } from '../../parts/text/tags.tsx'

const RESULT_TEXTS = texts({ answered: 'answered', abandoned: 'client disconnected' })

const NEXT_TEXTS = texts({ key: 'then another key', channel: 'then another channel', model: 'then another model' })

type ShownAttempt = ChargeExplanation['attempts'][number]

const COLORS = { answered: 'green', failed: 'red', abandoned: 'yellow' } as const
/** Shorter pauses between two attempts do not count as waiting, in ms. */
const WAITED = 20

const getEnd = ({ at = 0, ms = 0 }: ShownAttempt) => at + ms

export function AttemptWaterfall({ attempts }: { attempts: readonly ShownAttempt[] }) {
  const t = useText()
  // In a session, the connection is older than its later turns.
  const start = Math.min(0, ...attempts.map(({ at = 0 }) => at))
  const end = Math.max(start + 1, ...attempts.map(getEnd))
  const total = end - start
  const answer = attempts.find(({ first_ms = 0 }) => first_ms > 0)
  return (
    <section className="waterfall" aria-label={t('Path through the channels')}>
      <h3>{t('Path through the channels')}</h3>
      <ol>
        <Moment title={t('Admitted')} at={0} start={start} total={total} />
        {attempts.map((attempt, index) => (
          <Try key={index} attempt={attempt} before={attempts[index - 1]} start={start} total={total} />
        ))}
        {answer && (
          <Moment
            title={t('First content')}
            at={(answer.at ?? 0) + (answer.first_ms ?? 0)}
            start={start}
            total={total}
          />
        )}
        <Moment title={t('End')} at={end} start={start} total={total} />
      </ol>
    </section>
  )
}

interface BarSpan {
  start: number
  total: number
}

function Moment({ title, at, start, total }: BarSpan & { title: string; at: number }) {
  const format = useFormat()
  return (
    <li>
      <div className="try-head">
        <span className="muted">{title}</span>
        <span className="number try-time">{format.duration(Math.max(0, at - start))}</span>
      </div>
      <div className="try-line try-moment" aria-hidden="true">
        <span className="try-mark" style={{ left: `${Math.min(99.6, ((at - start) / total) * 100)}%` }} />
      </div>
    </li>
  )
}

function Try({ attempt, before, start, total }: BarSpan & { attempt: ShownAttempt; before: ShownAttempt | undefined }) {
  const t = useText()
  const format = useFormat()
  const translate = useTranslatedLogText()
  const { channel, name, model, result, status, code, why, next, at = start, ms = 0, first_ms = 0 } = attempt
  const share = (time: number) => `${(time / total) * 100}%`
  const problem = result === 'failed' ? String(status || code || '') : ''
  const label = problem || (result === 'failed' ? t('failed') : t(RESULT_TEXTS[result]))
  const waited = before ? at - getEnd(before) : 0
  return (
    <li>
      <div className="try-head">
        <strong>{`${channel} ${name}`.trim()}</strong>
        <span className="muted">{model}</span>
        <StateTag color={COLORS[result]} isName={problem !== ''}>
          {label}
        </StateTag>
        <span className="number try-time">{format.duration(ms)}</span>
      </div>
      <div className="try-line" aria-hidden="true">
        <span
          className={`try-wait${result === 'failed' ? ' try-failed' : ''}`}
          style={{ left: share(at - start), width: share(first_ms || ms) }}
        />
        {first_ms > 0 && (
          <span
            className={`try-bar try-${result}`}
            style={{ left: share(at - start + first_ms), width: share(ms - first_ms) }}
          />
        )}
      </div>
      <p className="muted">
        {[
          waited >= WAITED && t('Waited {time}', { time: format.duration(waited) }),
          at > start && t('started after {time}', { time: format.duration(at - start) }),
          first_ms > 0 && t('first content after {time}', { time: format.duration(first_ms) }),
          why && translate(why),
          next && t(NEXT_TEXTS[next]),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </li>
  )
}
