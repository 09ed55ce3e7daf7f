// Problems that need attention first, each with its remedy.
import { useState } from 'react'
import { Link } from 'react-router'
import type { AttentionFinding } from '../../../core/attention/contract.ts'
import { findingRules, type FindingRule } from '../../../core/attention/rules.ts'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { apiClient } from '../../data/client.ts'
import { fillPhrase, useLanguage, useText } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import { Button } from '../../semi.ts'
/** Number of problems that are shown at first; a button shows the others. */
const FIRST = 4

export function AttentionList() {
  const t = useText()
  const { data: found = [], reload } = useEndpoint(['attention.list'], () => apiClient.attention.list())
  const [all, setAll] = useState(false)
  if (found.length === 0) return null
  const shown = all ? found : found.slice(0, FIRST)
  return (
    <section className="sheet attention" aria-label={t('Needs attention')}>
      <h2>{t('Needs attention')}</h2>
      <ul>
        {shown.map((finding) => (
          <li key={`${finding.kind} ${finding.id} ${finding.name}`}>
            <Entry finding={finding} done={reload} />
          </li>
        ))}
      </ul>
      {found.length > FIRST && (
        <button type="button" className="plain-button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('Show fewer') : t('{n} more', { context: 'rows', n: found.length - FIRST })}
        </button>
      )}
    </section>
  )
}

interface Props {
  finding: AttentionFinding
  done(): void
}

function Entry({ finding, done }: Props) {
  const { language } = useLanguage()
  const translate = useTranslatedLogText()
  const format = useFormat()
  const { text: phrase, repair, atOnce }: FindingRule = findingRules[finding.kind]
  const { id, name, reason, failed, tried, keys, calls, accounts, usd, quota, paid, price } = finding
  const shown = {
    name,
    failed: format.number(failed),
    tried: format.number(tried),
    keys: format.number(keys),
    calls: format.number(calls),
    accounts: format.number(accounts),
    usd: `$${usd.toFixed(2)}`,
    quota: format.quota(quota),
    paid,
    price,
  }
  return (
    <>
      <span className="attention-said">
        {fillPhrase(phrase[language], shown)}
        {reason && <span className="muted attention-reason">{translate(reason)}</span>}
      </span>
      <span className="attention-acts">
        {atOnce && <AtOnce finding={finding} {...atOnce} done={done} />}
        <Link to={fillPhrase(repair.page, { id, name: encodeURIComponent(name) })}>{repair.what[language]}</Link>
      </span>
    </>
  )
}

function AtOnce({ finding: { id, name }, what, does, done }: Props & NonNullable<FindingRule['atOnce']>) {
  const t = useText()
  const { language } = useLanguage()
  const acts = {
    async enable() {
      const set = async (status: number) => {
        await apiClient.channels.update({ id, status })
        done()
      }
      await runWithUndo({
        message: t('channel {name} enabled', { name }),
        isSentence: true,
        act: () => set(CHANNEL_STATUS.enabled),
        back: () => set(CHANNEL_STATUS.disabled),
      })
    },
    async refresh() {
      await apiClient.channels.updateBalance({ id })
      done()
    },
  }
  const [act, acting] = useAction(acts[does])
  return (
    <Button
      size="small"
      type="tertiary"
      loading={acting}
      aria-label={t('{act}: {name}', { act: what[language], name })}
      onClick={() => void act()}
    >
      {what[language]}
    </Button>
  )
}
