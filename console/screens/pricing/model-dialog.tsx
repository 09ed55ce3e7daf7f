// All prices of one model for the selected group: each component in each tier, and how to call it.
import { IconExternalOpen } from '@douyinfe/semi-icons'
import { Link } from 'react-router'
import { findComponent } from '../../../core/pricing/components.ts'
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { formatPriceText } from '../../../core/pricing/display.ts'
import { buildChatCode } from '../../../core/tokens/chat-code.ts'
import { buildFirstBody, PLACEHOLDER_KEY } from '../../../core/tokens/guides.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerAddress } from '../../data/status.ts'
import { useLanguage, useText, texts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import type { SelectedGroup } from './columns.tsx'
import { getGroupPrice, type ListedPriceLine, type PriceTier } from './prices.ts'
import { useUnitText } from './use-line-text.ts'

const TIER_TEXTS = texts({ service: 'Tier {name}', cache: 'Cache for {name}' })

export function PricedModelDialog({
  model,
  viewed,
  onClose,
}: {
  model: PricedModel
  viewed: SelectedGroup
  onClose(): void
}) {
  const t = useText()
  const format = useFormat()
  const address = useServerAddress()
  const { user } = useSignedInUser()
  const { model_name, tools = {}, has_price, context = 0 } = model
  return (
    <ModalDialog side="right" title={t('Prices of {model}', { model: model_name })} onClose={onClose}>
      <div className="model-prices">
        {!has_price && <InlineNote warns>{t('It has no price: the highest default price applies.')}</InlineNote>}
        <p className="muted">
          {t('Viewing group {group}, ratio {ratio}', { group: viewed.group, ratio: viewed.ratio })}
          {context > 0 && <> · {t('Context of at most {n} tokens', { n: format.number(context) })}</>}
        </p>
        <PriceTable model={model} ratio={viewed.ratio} />
        {Object.keys(tools).length > 0 && (
          <>
            <h2>{t('Tools, per 1,000 calls')}</h2>
            <ul>
              {Object.entries(tools).map(([tool, usd]) => (
                <li key={tool}>
                  <code>{tool}</code> <span className="number">{formatPriceText(usd * viewed.ratio)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        <h2>{t('Call it')}</h2>
        {user && (
          <p>
            <Link to={`/playground?model=${encodeURIComponent(model_name)}`}>
              <IconExternalOpen aria-hidden size="small" /> {t('Try it in the playground')}
            </Link>
          </p>
        )}
        <CodeBlock
          label={t('Call it')}
          head="curl"
          text={buildChatCode('curl', { key: PLACEHOLDER_KEY, address }, buildFirstBody(model_name))}
        />
      </div>
    </ModalDialog>
  )
}

function PriceTable({ model, ratio }: { model: PricedModel; ratio: number }) {
  const { prices, model_name } = model
  const t = useText()
  const { language } = useLanguage()
  const getTierName = useTierNames()
  const getUnit = useUnitText()
  const isOwn = (line: ListedPriceLine, tier: PriceTier) =>
    getGroupPrice(line, ratio, tier) !== getGroupPrice(line, ratio)
  // A tier that changes no price needs no column.
  const tiers = model.tiers.filter((tier) => prices.some((line) => isOwn(line, tier)))
  const formatPrice = (line: ListedPriceLine, tier?: PriceTier) => formatPriceText(getGroupPrice(line, ratio, tier))
  return (
    <div className="price-table" tabIndex={0} role="region" aria-label={t('Prices of {model}', { model: model_name })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('What', { context: 'item' })}</th>
            <th scope="col">{t('Price')}</th>
            {tiers.map((tier, at) => (
              <th key={at} scope="col">
                {getTierName(tier)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {prices.map((line) => (
            <tr key={`${line.component} ${line.label ?? ''}`}>
              <th scope="row">
                {findComponent(line.component)?.label[language] ?? line.component}
                {line.label && <small> {line.label}</small>}
                <div className="hint">{getUnit(line)}</div>
              </th>
              <td className="number">{formatPrice(line)}</td>
              {tiers.map((tier, at) => (
                <td key={at} className="number">
                  {isOwn(line, tier) ? formatPrice(line, tier) : ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const DAY = 86_400_000
/** Any Sunday. */
const SUNDAY = Date.UTC(2024, 8, 1)

function useTierNames(): (tier: PriceTier) => string {
  const t = useText()
  const format = useFormat()
  const { language } = useLanguage()
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  return ({ kind, above = 0, name = '', days, hours = [], time_zone = '' }) => {
    if (kind === 'prompt') return t('Prompt above {n} tokens', { n: format.number(above) })
    if (kind !== 'time') return t(TIER_TEXTS[kind], { name })
    const when = [
      ...(days ?? []).map((day) => weekday.format(SUNDAY + day * DAY)),
      ...hours.map(([from, to]) => t('{from}:00 to {to}:00', { from, to })),
    ]
    return [...when, time_zone].join(' ')
  }
}
