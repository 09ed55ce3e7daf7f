// Two prices side by side, component by component; equal lines are grey.
import { useLanguage, useText } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { RelativeChange } from './bills.tsx'
import type { PriceLine } from './draft.ts'
import { formatLineName, formatUnit } from './lines.ts'

interface Props {
  now: readonly PriceLine[]
  there: readonly PriceLine[]
  /** The titles of both prices; "now" and "then" by default. */
  heads?: readonly [string, string]
}

const getLineKey = ({ component, label = '' }: PriceLine) => `${component} ${label}`

export function LineDiff({ now, there, heads }: Props) {
  const t = useText()
  const format = useFormat()
  const { language } = useLanguage()
  const lines = [...new Map([...now, ...there].map((line) => [getLineKey(line), line])).values()]
  const find = (list: readonly PriceLine[], line: PriceLine) =>
    list.find((each) => getLineKey(each) === getLineKey(line))?.usd
  const price = (usd: number | undefined) => (usd === undefined ? '–' : format.listPrice(usd))
  return (
    <div className="price-frame" tabIndex={0} role="region" aria-label={t('Price')}>
      <table className="price-lines">
        <thead>
          <tr>
            <th scope="col">{t('Component')}</th>
            <th scope="col" className="right">
              {heads?.[0] ?? t('Now')}
            </th>
            <th scope="col" className="right">
              {heads?.[1] ?? t('Then')}
            </th>
            <th scope="col" className="right">
              {t('Change', { context: 'difference' })}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const [was, is] = [find(now, line), find(there, line)]
            return (
              <tr key={getLineKey(line)} className={was === is ? 'price-same' : undefined}>
                <th scope="row">
                  {formatLineName(line, language)} <span className="muted">{formatUnit(line.unit, language)}</span>
                </th>
                <td className="right number">{price(was)}</td>
                <td className="right number">{price(is)}</td>
                <td className="right number">
                  <RelativeChange was={was} is={is} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
