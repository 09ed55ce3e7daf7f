// The columns of the list of rules.
import type { StandingRule } from '../../../core/alerts/alert.ts'
import { valueText } from '../../../core/alerts/message.ts'
import { useLanguage, useTexts } from '../../data/texts.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Tag } from '../../parts/tags.tsx'
import { kinds } from './form.built.ts'
import { words } from './texts.ts'

export function useRuleColumns(): Column<StandingRule>[] {
  const t = useTexts(words)
  const { language } = useLanguage()
  const formatRecipients = ({ root, mails, webhook_url }: StandingRule) =>
    [...(root ? [t.root] : []), ...(mails ? [mails] : []), ...(webhook_url ? ['webhook'] : [])].join(', ') || t.nobody
  return [
    { key: 'name', title: t.name, rank: 1, width: 180, card: 'title', render: ({ name }) => name },
    { key: 'state', title: t.state, rank: 1, width: 100, card: 'badge', render: (rule) => <RuleState rule={rule} /> },
    { key: 'what', title: t.what, rank: 1, width: 160, render: ({ kind }) => kinds[kind].title[language] },
    {
      key: 'threshold',
      title: t.threshold,
      rank: 1,
      width: 120,
      align: 'right',
      render: ({ kind, threshold }) => valueText(kind, threshold)[language],
    },
    { key: 'tells', title: t.tells, rank: 2, width: 220, render: formatRecipients },
  ]
}

function RuleState({ rule: { enabled, alerts, unknown } }: { rule: StandingRule }) {
  const t = useTexts(words)
  if (!enabled) return <Tag color="grey">{t.off}</Tag>
  if (alerts.length > 0) return <Tag color="red">{t.alerting}</Tag>
  return unknown === '' ? <Tag color="green">{t.quiet}</Tag> : <Tag color="orange">{t.unknown}</Tag>
}
