// The columns of the price list.
import { IconTick, IconTickCircle } from '@douyinfe/semi-icons'
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { PRICED_PER_CALL, formatPriceText, formatRatioText } from '../../../core/pricing/display.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText, texts } from '../../data/texts.tsx'
import { UserAvatar } from '../../parts/text/avatar.tsx'
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
    rank: 2,
    width: 110,
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
      rank: 4,
      width: 100,
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
      width: 220,
      sort: 'name',
      card: 'title',
      render: ({ model_name, owner_by, ended }) => (
        <span className="model-of">
          <span role="img" aria-label={owner_by} data-tip={owner_by}>
            <UserAvatar name={owner_by} small />
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
      rank: 3,
      width: 110,
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
      rank: 5,
      width: 160,
      render: ({ enable_groups }) => (
        <span className="tags">
          {enable_groups
            .filter((group) => group in viewed.usable)
            .map((group) => (
              <button
                key={group}
                type="button"
                className="group-tag"
                aria-label={t('View prices of the group {group}', { group })}
                aria-pressed={group === viewed.group}
                onClick={() => view(group)}
              >
                {group === viewed.group && <IconTick aria-hidden size="extra-small" />}
                {group}
              </button>
            ))}
        </span>
      ),
    },
    {
      key: 'ratio',
      title: t('Ratio'),
      rank: 3,
      width: 150,
      help: { label: t('Show how ratios become a price'), open: explain },
      render: (model) => <Ratios model={model} ratio={viewed.ratio} />,
    },
    {
      key: 'price',
      title: t('Model price'),
      rank: 2,
      width: 210,
      sort: 'price',
      render: (model) => <Price model={model} ratio={viewed.ratio} />,
    },
    ...(times ? [timeColumn] : []),
  ]
}

function Ratios({ model, ratio }: { model: PricedModel; ratio: number }) {
  const t = useText()
  const isPerCall = model.quota_type === PRICED_PER_CALL
  return (
    <span className="priced-lines">
      <span>{t('model {ratio}', { ratio: isPerCall ? t('none') : formatRatioText(model.model_ratio) })}</span>
      <span>
        {t('completion {ratio}', { ratio: isPerCall ? t('none') : formatRatioText(model.completion_ratio, 3) })}
      </span>
      <span>{t('group {ratio}', { ratio: formatRatioText(ratio) })}</span>
    </span>
  )
}

/** The main components: input, cached input, and output. */
const SHOWN = { input: 'prompt', cache_read: 'cached', output: 'completion' } as const

function Price({ model, ratio }: { model: PricedModel; ratio: number }) {
  const t = useText()
  if (model.quota_type === PRICED_PER_CALL)
    return <span className="number">{t('{price} / call', { price: formatPriceText(model.model_price * ratio) })}</span>
  const lines = Object.entries(SHOWN).flatMap(([component, name]) => {
    const line = findComponentLine(model, component)
    if (!line) return []
    const price = t('{price} / 1M tokens', { price: formatPriceText(getGroupPrice(line, ratio)) })
    return [<span key={component}>{t(PRICE_TEXTS[name], { price })}</span>]
  })
  const films = model.prices.filter(({ component }) => component === 'video')
  return (
    <span className="priced-lines">
      {lines}
      {films.map((line) => (
        <span key={`video ${line.label ?? ''}`}>
          {[
            t('{price} / s', { price: formatPriceText(getGroupPrice(line, ratio)) }),
            line.label?.replace(':', ' '),
          ].join(' ')}
        </span>
      ))}
    </span>
  )
}
