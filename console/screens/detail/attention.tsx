// Problems that need attention first, each with its remedy.
import { useState } from 'react'
import { Link } from 'react-router'
import type { AttentionFinding } from '../../../core/attention/contract.ts'
import { findingRules, type FindingRule } from '../../../core/attention/rules.ts'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { apiClient } from '../../data/client.ts'
import { fillPhrase, useLanguage, useText } from '../../data/texts.tsx'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import { Button } from '../../semi.ts'

/**
 * One line of reserved height, so that nothing moves when the findings arrive: the first of them, and a button that shows
 * the others. `isReady` delays the request until the page can be used.
 */
export function AttentionStrip({ isReady }: { isReady: boolean }) {
  const t = useText()
  return (
    <section className="sheet attention" aria-label={t('Needs attention')}>
      <h2>{t('Needs attention')}</h2>
      {isReady ? <Findings /> : <span className="muted attention-said">{t('Checking…')}</span>}
    </section>
  )
}

function Findings() {
  const t = useText()
  const { data: found, error, reload } = useEndpointWithError(['attention.list'], () => apiClient.attention.list())
  const [all, setAll] = useState(false)
  const [first] = found ?? []
  if (!found || !first)
    return (
      <span className="muted attention-said">{found ? t('Nothing needs attention.') : (error ?? t('Checking…'))}</span>
    )
  return (
    <>
      <ul>
        {(all ? found : [first]).map((finding) => (
          <li key={`${finding.kind} ${finding.id} ${finding.name}`}>
            <Entry finding={finding} done={reload} />
          </li>
        ))}
      </ul>
      {found.length > 1 && (
        <button type="button" className="plain-button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('Show fewer') : t('{n} more', { context: 'rows', n: found.length - 1 })}
        </button>
      )}
    </>
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
