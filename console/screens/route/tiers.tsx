// The channels of a route: by tier, each with its share and its cooldown, and the skipped ones with their reason.
import { Link } from 'react-router'
import { type ExplainedChannel, describeRouteReason } from '../../../core/channels/route-explanation.ts'
import { useFormat } from '../../data/use-format.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { ColorDot, type TagColor } from '../../parts/text/tags.tsx'

interface Props {
  channels: readonly ExplainedChannel[]
  /** The channels before some were excluded; empty if none is. */
  before: readonly ExplainedChannel[]
  /** In epoch seconds. */
  now: number
  leftOut: readonly number[]
  leave(ids: number[]): void
}

export function RouteTierList({ channels, ...given }: Props) {
  const t = useText()
  const tried = channels.filter(({ serves }) => serves)
  const skipped = channels.filter(({ serves }) => !serves)
  const tiers = [...new Set(tried.map(({ tier }) => tier))]
  return (
    <>
      {tiers.map((tier) => {
        const members = tried.filter((channel) => channel.tier === tier)
        const note = t('priority {n}', { n: members[0]?.priority ?? 0 })
        return <Part key={tier} title={t('Tier {n}', { n: tier })} note={note} members={members} {...given} />
      })}
      {skipped.length > 0 && <Part title={t('Skipped')} members={skipped} {...given} />}
    </>
  )
}

type PartProps = Omit<Props, 'channels'> & { title: string; note?: string; members: readonly ExplainedChannel[] }

const Part = ({ title, note, members, before, ...given }: PartProps) => (
  <section className="route-part" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {note && <span className="muted">{note}</span>}
    </header>
    <ul>
      {members.map((channel) => (
        <Line key={channel.id} channel={channel} was={before.find(({ id }) => id === channel.id)} {...given} />
      ))}
    </ul>
  </section>
)

interface LineProps extends Pick<Props, 'now' | 'leftOut' | 'leave'> {
  channel: ExplainedChannel
  was: ExplainedChannel | undefined
}

function Line({ channel, was, now, leftOut, leave }: LineProps) {
  const t = useText()
  const format = useFormat()
  const { language } = useLanguage()
  const { id, name, tier_share: share, weight, keys, affinity } = channel
  const isOut = leftOut.includes(id)
  const cooling = keys.filter((key) => key.cooldown_until > now)
  const facts = [
    channel.serves && t('weight {n}', { n: format.number(weight) }),
    keys.length > 1 && t('{on} of {n} keys enabled', { on: keys.filter(({ on }) => on).length, n: keys.length }),
    affinity > 0 && t('{n} cached prompts', { n: format.number(affinity) }),
  ].filter((fact) => fact !== false)
  return (
    <li className="route-line">
      <Link to={`/channel/edit/${id}`} aria-label={t('Edit {name}', { name })}>
        {name}
      </Link>
      <span className="route-share">
        {share > 0 && (
          <>
            <span className="route-bar" aria-hidden="true">
              <span style={{ width: `${share * 100}%` }} />
            </span>
            <span className="number">{format.percent(share)}</span>
          </>
        )}
        {was && was.tier_share !== share && !isOut && (
          <small className="muted">{t('was {share}', { share: format.percent(was.tier_share) })}</small>
        )}
      </span>
      <span className="route-why">
        <ColorDot color={getColor(channel)} isWord>
          {describeRouteReason(channel)[language]}
        </ColorDot>
        {cooling.map((key) => (
          <span key={key.fingerprint} className="route-clock number" role="timer">
            {t(key.fingerprint === '' ? 'next try in {time}' : 'key {key}: next try in {time}', {
              key: key.fingerprint,
              time: clock(key.cooldown_until - now),
            })}
          </span>
        ))}
        {facts.length > 0 && <small className="muted">{facts.join(' · ')}</small>}
      </span>
      {(channel.serves || isOut) && (
        <button
          type="button"
          className="plain-button"
          aria-label={`${isOut ? t('Put back') : t('What if it were disabled?')} ${name}`}
          onClick={() => leave(isOut ? leftOut.filter((other) => other !== id) : [...leftOut, id])}
        >
          {isOut ? t('Put back') : t('What if it were disabled?')}
        </button>
      )}
    </li>
  )
}

function getColor({ taken, serves, reason }: ExplainedChannel): TagColor {
  if (taken) return 'green'
  if (reason === 'cooling') return 'orange'
  return serves ? 'blue' : 'grey'
}

/** Formats minutes and seconds. */
function clock(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}
