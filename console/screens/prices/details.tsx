// The expanded details of a price: every component with its source, and its tiers and tools.
import { useLanguage, useTexts, fillPhrase } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import type { PriceRow } from './draft.ts'
import { formatLineName, formatTiers, formatUnit } from './lines.ts'
import { words } from './texts.ts'

export function PriceDetails({ row: { prices, price } }: { row: PriceRow }) {
  const t = useTexts(words)
  const format = useFormat()
  const { language } = useLanguage()
  const tiers = formatTiers(price?.tiers ?? {}, language)
  const tools = Object.entries(price?.tools ?? {})
  if (prices.length === 0) return <p className="muted">{t.none}</p>
  return (
    <div className="price-details">
      <table className="price-lines">
        <caption className="only-heard">{t.price}</caption>
        <thead>
          <tr>
            <th scope="col">{t.component}</th>
            <th scope="col" className="right">
              {t.price}
            </th>
            <th scope="col">{t.whoSays}</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((line) => (
            <tr key={`${line.component} ${line.label ?? ''}`}>
              <th scope="row">{formatLineName(line, language)}</th>
              <td className="right number">
                {format.listPrice(line.usd)} <span className="muted">{formatUnit(line.unit, language)}</span>
              </td>
              <td>{t[line.set_by]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {tiers.length > 0 && <Texts title={t.tiers} lines={tiers} />}
      {tools.length > 0 && (
        <Texts
          title={t.tools}
          lines={tools.map(([name, usd]) => fillPhrase(t.toolPrice, { name, usd: format.listPrice(usd) }))}
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
