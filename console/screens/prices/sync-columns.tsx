// The columns of a comparison: own and foreign prices side by side, and the effect on bills.
import { findComponent } from '../../../core/pricing/components.ts'
import { useLanguage, useText, texts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import type { TableColumn } from '../../parts/table/column.ts'
import { StateTag } from '../../parts/text/tags.tsx'
import { RelativeChange } from './bills.tsx'
import type { PriceDifference } from './draft.ts'
import { findPiecePrice, findLinePrice } from './lines.ts'

const TIER_TEXTS = texts({
  'tiers.prompt': 'tiers by length',
  'tiers.service': 'tiers by service',
  'tiers.time': 'tiers by time',
  'tiers.cache': 'tiers of the cache',
})

export const FACT_TEXTS = texts({
  output: 'longest answer',
  kind: 'kind',
  context: 'context',
  reads: 'input kinds',
  writes: 'output kinds',
})

const STATUS_TEXTS = texts({ changed: 'Changed', new: 'New', same: 'The same', only_here: 'Only here' })

/** Returns the name of what differs. */
function useDifferenceNames(): (row: PriceDifference) => string {
  const t = useText()
  const { language } = useLanguage()
  const isTier = (name: string): name is keyof typeof TIER_TEXTS => Object.hasOwn(TIER_TEXTS, name)
  return ({ differs, facts_differ }) =>
    [
      ...differs.map((name) => (isTier(name) ? t(TIER_TEXTS[name]) : (findComponent(name)?.label[language] ?? name))),
      ...facts_differ.map((name) => t(FACT_TEXTS[name])),
    ].join(', ')
}

export function useDifferenceColumns(): TableColumn<PriceDifference>[] {
  const t = useText()
  const format = useFormat()
  const { language } = useLanguage()
  const nameDifference = useDifferenceNames()
  const both = (
    key: string,
    title: string,
    rank: number,
    of: (lines: PriceDifference['now']) => number | undefined,
  ) => ({
    key,
    title,
    rank,
    under: key === 'piece' ? ['output'] : undefined,
    width: 150,
    align: 'right' as const,
    render({ now, there }: PriceDifference) {
      const [was, is] = [of(now), of(there)]
      if (was === undefined && is === undefined) return null
      const text = (usd: number | undefined) => (usd === undefined ? '–' : format.listPrice(usd))
      return <span className="number">{was === is ? text(is) : `${text(was)} → ${text(is)}`}</span>
    },
  })
  const label = (component: string) => findComponent(component)?.label[language] ?? component
  return [
    { key: 'model', title: t('Model'), rank: 1, width: 200, card: 'title', render: ({ model }) => model },
    {
      key: 'status',
      title: t('Status'),
      rank: 1,
      width: 100,
      card: 'badge',
      render: ({ status }) => (
        <StateTag color={status === 'new' ? 'green' : status === 'changed' ? 'orange' : 'white'}>
          {t(STATUS_TEXTS[status])}
        </StateTag>
      ),
    },
    both('input', label('input'), 1, (lines) => findLinePrice(lines, 'input')),
    both('output', label('output'), 1, (lines) => findLinePrice(lines, 'output')),
    both('piece', t('Per call'), 3, findPiecePrice),
    { key: 'differs', title: t('Difference'), rank: 4, width: 180, under: ['status'], render: nameDifference },
    {
      key: 'would',
      title: t('Charged', { context: 'past' }),
      rank: 2,
      width: 170,
      card: 'number',
      align: 'right',
      render: ({ calls, charged, would_charge }) =>
        calls === 0 ? null : (
          <span className="number">
            {`${format.quota(charged)} → ${format.quota(would_charge)} `}
            <RelativeChange was={charged} is={would_charge} />
          </span>
        ),
    },
    { key: 'date', title: t('As of'), rank: 5, width: 110, under: ['model'], render: ({ date }) => date || null },
    {
      key: 'as',
      title: t('Name in the catalogue'),
      rank: 5,
      width: 140,
      under: ['model'],
      render: ({ as }) => as || null,
    },
  ]
}
