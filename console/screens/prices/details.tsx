// The expanded details of a price: every component with its source, and its tiers and tools.
import { useLanguage, useText, texts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import type { PriceRow } from './draft.ts'
import { formatLineName, formatTierSentences, formatUnit } from './lines.ts'

const SET_BY_TEXTS = texts({ default: 'Built-in', own: 'Set here', family: 'As its family', rule: 'By rule' })

export function PriceDetails({ row: { prices, price } }: { row: PriceRow }) {
  const t = useText()
  const format = useFormat()
  const { language } = useLanguage()
  const tiers = formatTierSentences(price?.tiers ?? {}, language)
  const tools = Object.entries(price?.tools ?? {})
  if (prices.length === 0) return <p className="muted">{t('No price')}</p>
  return (
    <div className="price-details">
      <table className="price-lines">
        <caption className="only-heard">{t('Price')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Component')}</th>
            <th scope="col" className="right">
              {t('Price')}
            </th>
            <th scope="col">{t('Source')}</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((line) => (
            <tr key={`${line.component} ${line.label ?? ''}`}>
              <th scope="row">{formatLineName(line, language)}</th>
              <td className="right number">
                {format.listPrice(line.usd)} <span className="muted">{formatUnit(line.unit, language)}</span>
              </td>
              <td>{t(SET_BY_TEXTS[line.set_by])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {tiers.length > 0 && <Texts title={t('Surcharges and discounts')} lines={tiers} />}
      {tools.length > 0 && (
        <Texts
          title={t('Tools')}
          lines={tools.map(([name, usd]) => t('{name}: {usd} per 1,000 calls', { name, usd: format.listPrice(usd) }))}
        />
      )}
    </div>
  )
}

const Texts = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <div>
    <strong>{title}</strong>
    <ul className="price-texts">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </div>
)
