// The columns of the price list.
import { IconTick, IconTickCircle } from '@douyinfe/semi-icons'
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { PRICED_PER_CALL, formatPriceText, formatRatioText } from '../../../core/pricing/display.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText, texts } from '../../data/texts.tsx'
import { buildMenuAttributes } from '../../parts/overlay/menu.tsx'
import { ModelMark } from '../../parts/text/brand-mark.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { StateTag } from '../../parts/text/tags.tsx'
import { isOpenTo, findComponentLine, getGroupPrice } from './prices.ts'
import { TIMED_PERIOD_DAYS, type AnswerTimes } from './use-answer-times.ts'

const PRICE_TEXTS = texts({ prompt: 'Prompt {price}', cached: 'Cached {price}', completion: 'Completion {price}' })

export interface SelectedGroup {
  group: string
  ratio: number
  /** Descriptions by group. */
  usable: Readonly<Record<string, string>>
}

interface Acts {
  view(group: string): void
  copy(name: string): void
  explain(): void
}

/** @param times undefined if no user is signed in */
export function usePriceColumns(
  viewed: SelectedGroup,
  times: AnswerTimes | undefined,
  { view, copy, explain }: Acts,
): TableColumn<PricedModel>[] {
  const t = useText()
  const format = useFormat()
  const timeColumn: TableColumn<PricedModel> = {
    key: 'time',
    title: t('Answers in'),
    rank: 3,
    width: 80,
    under: ['name'],
    sort: 'time',
    align: 'right',
    render({ model_name }) {
      const ms = times?.get(model_name)
      return (
        ms !== undefined && (
          <span
            className="number"
            data-tip={t('Half of the calls of the last {n} days were answered sooner', { n: TIMED_PERIOD_DAYS })}
            tabIndex={0}
          >
            {format.duration(ms)}
          </span>
        )
      )
    },
  }
  return [
    {
      key: 'available',
      title: t('Availability'),
      rank: 3,
      width: 84,
      sort: 'available',
      card: 'badge',
      render: (model) =>
        isOpenTo(model, viewed.group) && (
          <span
            role="img"
            className="available"
            aria-label={t('your group can use this model')}
            data-tip={t('your group can use this model')}
            tabIndex={0}
          >
            <IconTickCircle aria-hidden />
          </span>
        ),
    },
    {
      key: 'name',
      title: t('Model name'),
      rank: 1,
      width: 210,
      sort: 'name',
      card: 'title',
      render: ({ model_name, owner_by, ended }) => (
        <span className="model-of">
          <span role="img" aria-label={owner_by} data-tip={owner_by}>
            <ModelMark model={model_name} provider={owner_by} />
          </span>
          <button type="button" className="model-tag" onClick={() => copy(model_name)}>
            {model_name}
          </button>
          {ended && <StateTag color="orange">{t('ended by its vendor on {day}', { day: ended })}</StateTag>}
        </span>
      ),
    },
    {
      key: 'billing',
      title: t('Billing type'),
      rank: 5,
      width: 90,
      under: ['name'],
      sort: 'billing',
      render: ({ quota_type }) =>
        quota_type === PRICED_PER_CALL ? (
          <StateTag color="teal">{t('per call')}</StateTag>
        ) : (
          <StateTag color="violet">{t('per usage')}</StateTag>
        ),
    },
    {
      key: 'groups',
      title: t('Usable groups'),
      rank: 3,
      width: 130,
      under: ['name'],
      render: ({ enable_groups }) => <UsableGroups groups={enable_groups} viewed={viewed} view={view} />,
    },
    {
      key: 'ratio',
      title: t('Ratio'),
      rank: 3,
      width: 140,
      help: { label: t('Show how ratios become a price'), open: explain },
      render: (model) => <Ratios model={model} ratio={viewed.ratio} />,
    },
    {
      key: 'price',
      title: t('Model price'),
      rank: 2,
      width: 220,
      card: 'number',
      sort: 'price',
      render: (model) => <Price model={model} ratio={viewed.ratio} />,
    },
    ...(times ? [timeColumn] : []),
  ]
}

/** Number of groups in a row; the menu has the others. */
const GROUPS_SHOWN = 2

interface UsableGroupsProps {
  groups: readonly string[]
  viewed: SelectedGroup
  view(group: string): void
}

/** The viewed group first. */
function UsableGroups({ groups, viewed, view }: UsableGroupsProps) {
  const t = useText()
  const isViewed = (group: string) => group === viewed.group
  const usable = groups
    .filter((group) => group in viewed.usable)
    .sort((a, b) => Number(isViewed(b)) - Number(isViewed(a)))
  const label = (group: string) => t('View prices of the group {group}', { group })
  const others = usable.slice(GROUPS_SHOWN)
  return (
    <span className="tags">
      {usable.slice(0, GROUPS_SHOWN).map((group) => (
        <button
          key={group}
          type="button"
          className="group-tag"
          aria-label={label(group)}
          aria-pressed={isViewed(group)}
          onClick={() => view(group)}
        >
          {isViewed(group) && <IconTick aria-hidden size="extra-small" />}
          {group}
        </button>
      ))}
      {others.length > 0 && (
        <button
          type="button"
          className="group-tag"
          aria-label={t('{n} more groups', { n: others.length })}
          {...buildMenuAttributes(t('Usable groups'), () =>
            others.map((group) => ({ key: group, label: group, run: () => view(group) })),
          )}
        >
          +{others.length}
        </button>
      )}
    </span>
  )
}

function Ratios({ model, ratio }: { model: PricedModel; ratio: number }) {
  const t = useText()
  const isPerCall = model.quota_type === PRICED_PER_CALL
  const second = [
    t('completion {ratio}', { ratio: isPerCall ? t('none') : formatRatioText(model.completion_ratio, 3) }),
    t('group {ratio}', { ratio: formatRatioText(ratio) }),
  ]
  return (
    <TwoLines
      first={t('model {ratio}', { ratio: isPerCall ? t('none') : formatRatioText(model.model_ratio) })}
      second={second}
    />
  )
}

/** The second line may be empty. */
const TwoLines = ({ first, second }: { first: string; second: readonly string[] }) => (
  <>
    <div className="row-first number capital">{first}</div>
    {second.length > 0 && <div className="row-second capital">{second.join(' · ')}</div>}
  </>
)

/** The main components: input, output, and cached input. */
const SHOWN = { input: 'prompt', output: 'completion', cache_read: 'cached' } as const

function Price({ model, ratio }: { model: PricedModel; ratio: number }) {
  const t = useText()
  if (model.quota_type === PRICED_PER_CALL)
    return <span className="number">{t('{price} / call', { price: formatPriceText(model.model_price * ratio) })}</span>
  const lines = Object.entries(SHOWN).flatMap(([component, name]) => {
    const line = findComponentLine(model, component)
    if (!line) return []
    const price = t('{price} / 1M tokens', { price: formatPriceText(getGroupPrice(line, ratio)) })
    return [t(PRICE_TEXTS[name], { price })]
  })
  const films = model.prices
    .filter(({ component }) => component === 'video')
    .map((line) =>
      [t('{price} / s', { price: formatPriceText(getGroupPrice(line, ratio)) }), line.label?.replace(':', ' ')].join(
        ' ',
      ),
    )
  const [first = '', ...second] = [...lines, ...films]
  return <TwoLines first={first} second={second} />
}
