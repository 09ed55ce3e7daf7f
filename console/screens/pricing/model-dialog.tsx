// All prices of one model for the selected group: each component in each tier, and how to call it.
import { IconExternalOpen } from '@douyinfe/semi-icons'
import { Link } from 'react-router'
import { findComponent } from '../../../core/pricing/components.ts'
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { priceText } from '../../../core/pricing/display.ts'
import { chatCode } from '../../../core/tokens/chat-code.ts'
import { firstBody, PLACEHOLDER_KEY } from '../../../core/tokens/guides.ts'
import { useSession } from '../../data/session.tsx'
import { useServerAddress } from '../../data/status.ts'
import { fillPhrase, useLanguage, useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import type { GroupView } from './columns.tsx'
import { getGroupPrice, type PricedLine, type PriceTier } from './prices.ts'
import { words } from './texts.ts'
import { useLineText } from './use-line-text.ts'

export function ModelDialog({ model, viewed, onClose }: { model: PricedModel; viewed: GroupView; onClose(): void }) {
  const t = useTexts(words)
  const format = useFormat()
  const address = useServerAddress()
  const { user } = useSession()
  const { model_name, tools = {}, has_price, context = 0 } = model
  return (
    <Dialog side="right" title={fillPhrase(t.allOf, { model: model_name })} onClose={onClose}>
      <div className="model-prices">
        {!has_price && <Note warns>{t.unpriced}</Note>}
        <p className="muted">
          {fillPhrase(t.viewing, { group: viewed.group, ratio: viewed.ratio })}
          {context > 0 && <> · {fillPhrase(t.context, { n: format.number(context) })}</>}
        </p>
        <PriceTable model={model} ratio={viewed.ratio} />
        {Object.keys(tools).length > 0 && (
          <>
            <h2>{t.tools}</h2>
            <ul>
              {Object.entries(tools).map(([tool, usd]) => (
                <li key={tool}>
                  <code>{tool}</code> <span className="number">{priceText(usd * viewed.ratio)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        <h2>{t.callIt}</h2>
        {user && (
          <p>
            <Link to={`/playground?model=${encodeURIComponent(model_name)}`}>
              <IconExternalOpen aria-hidden size="small" /> {t.tryIt}
            </Link>
          </p>
        )}
        <CodeBlock
          label={t.callIt}
          head="curl"
          text={chatCode('curl', { key: PLACEHOLDER_KEY, address }, firstBody(model_name))}
        />
      </div>
    </Dialog>
  )
}

function PriceTable({ model: { prices, tiers, model_name }, ratio }: { model: PricedModel; ratio: number }) {
  const t = useTexts(words)
  const { language } = useLanguage()
  const getTierName = useTierNames()
  const formatLine = useLineText()
  const formatPrice = (line: PricedLine, tier?: PriceTier) => formatLine(line, getGroupPrice(line, ratio, tier))
  return (
    <div className="price-table" tabIndex={0} role="region" aria-label={fillPhrase(t.allOf, { model: model_name })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.usual}</th>
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
              </th>
              <td className="number">{formatPrice(line)}</td>
              {tiers.map((tier, at) => (
                <td key={at} className="number">
                  {getGroupPrice(line, ratio, tier) === getGroupPrice(line, ratio) ? '' : formatPrice(line, tier)}
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
  const t = useTexts(words)
  const format = useFormat()
  const { language } = useLanguage()
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  return ({ kind, above = 0, name = '', days, hours = [], time_zone = '' }) => {
    if (kind === 'prompt') return fillPhrase(t.above, { n: format.number(above) })
    if (kind !== 'time') return fillPhrase(t[kind], { name })
    const when = [
      ...(days ?? []).map((day) => weekday.format(SUNDAY + day * DAY)),
      ...hours.map(([from, to]) => fillPhrase(t.hours, { from, to })),
    ]
    return [...when, time_zone].join(' ')
  }
}
