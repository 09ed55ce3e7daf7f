// What needs attention first, each with what puts it right.
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { client } from '../../data/client.ts'
import { fill, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { undoable } from '../../parts/undo.ts'
import { Button } from '../../semi.ts'
import { findings, type Finding } from './findings.ts'
import { words } from './texts.ts'

const PAGE = 100
/** More are behind one button. */
const FIRST = 4

/** Everything that administrators look after. */
export function Attention() {
  const { data, reload } = useEndpoint(['detail.attention'], async () => {
    const [{ channels: health }, channels, missing] = await Promise.all([
      client.channels.health({ hours: 2 }),
      allChannels(),
      client.prices.missing(),
    ])
    return findings({ health, channels, missing })
  })
  return <Findings found={data ?? []} renderAct={(finding) => <Act finding={finding} done={reload} />} />
}

/** Page by page: there may be hundreds. */
async function allChannels(): Promise<Channel[]> {
  const found: Channel[] = []
  for (let p = 0, total = 1; found.length < total; p += 1) {
    const page = await client.channels.list({ p, page_size: PAGE })
    found.push(...page.data)
    total = page.data.length < PAGE ? 0 : page.total
  }
  return found
}

interface Props {
  found: readonly Finding[]
  renderAct?: (finding: Finding) => ReactNode
}

export function Findings({ found, renderAct }: Props) {
  const t = useTexts(words)
  const [all, setAll] = useState(false)
  if (found.length === 0) return null
  const shown = all ? found : found.slice(0, FIRST)
  return (
    <section className="sheet attention" aria-label={t.attention}>
      <h2>{t.attention}</h2>
      <ul>
        {shown.map((finding) => (
          <li key={`${finding.kind} ${finding.id} ${finding.name}`}>
            <Sentence finding={finding} />
            <span className="attention-acts">
              {renderAct?.(finding)}
              <Link to={finding.to}>{t[`${finding.kind}To`]}</Link>
            </span>
          </li>
        ))}
      </ul>
      {found.length > FIRST && (
        <button type="button" className="plain-button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t.fewer : fill(t.more, { n: found.length - FIRST })}
        </button>
      )}
    </section>
  )
}

function Sentence({ finding: { kind, name, reason, n, of } }: { finding: Finding }) {
  const t = useTexts(words)
  const format = useFormat()
  const money = kind === 'ownBalance' ? format.quota(n) : `$${n.toFixed(2)}`
  return (
    <span className="attention-said">
      {fill(t[kind], { name, n: format.number(n), of: format.number(of), money })}
      {reason && <span className="muted attention-reason">{reason}</span>}
    </span>
  )
}

/** What can be done on the spot. */
function Act({ finding: { kind, id, name }, done }: { finding: Finding; done(): void }) {
  const t = useTexts(words)
  const [enable, enabling] = useAction(async () => {
    const set = async (status: number) => {
      await client.channels.update({ id, status })
      done()
    }
    await undoable({
      said: fill(t.enabled, { name }),
      act: () => set(CHANNEL_STATUS.enabled),
      back: () => set(CHANNEL_STATUS.disabled),
    })
  })
  const [refresh, refreshing] = useAction(async () => {
    await client.channels.updateBalance({ id })
    done()
  })
  if (kind !== 'channelOff' && kind !== 'lowBalance') return null
  const off = kind === 'channelOff'
  const label = off ? t.enable : t.refreshBalance
  return (
    <Button
      size="small"
      type="tertiary"
      loading={off ? enabling : refreshing}
      aria-label={fill(t.actOn, { act: label, name })}
      onClick={() => void (off ? enable : refresh)()}
    >
      {label}
    </Button>
  )
}
