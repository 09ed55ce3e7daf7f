// Models side by side: the prices for the selected group, and the sizes of their contexts.
import { findComponent } from '../../../core/pricing/components.ts'
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import type { SelectedGroup } from './columns.tsx'
import { isOpenTo, getGroupPrice, type ListedPriceLine } from './prices.ts'
import { useLineText } from './use-line-text.ts'

interface Props {
  models: readonly PricedModel[]
  viewed: SelectedGroup
  onClose(): void
}

const getLineKey = ({ component, label = '' }: ListedPriceLine) => `${component} ${label}`

export function CompareDialog({ models, viewed: { group, ratio }, onClose }: Props) {
  const t = useText()
  const format = useFormat()
  const { language } = useLanguage()
  const formatLine = useLineText()
  const lines = [...new Map(models.flatMap(({ prices }) => prices).map((line) => [getLineKey(line), line])).values()]
  const rows: { key: string; head: string; cellOf(model: PricedModel): string }[] = [
    { key: 'provider', head: t('Provider'), cellOf: ({ owner_by }) => owner_by },
    {
      key: 'open',
      head: t('Availability'),
      cellOf: (model) => (isOpenTo(model, group) ? t('Available') : t('Not available')),
    },
    {
      key: 'context',
      head: t('Token limits'),
      cellOf: ({ context }) => (context ? format.number(context) : t('none')),
    },
    ...lines.map((line) => ({
      key: getLineKey(line),
      head: [findComponent(line.component)?.label[language] ?? line.component, line.label].filter(Boolean).join(' '),
      cellOf({ prices }: PricedModel) {
        const own = prices.find((each) => getLineKey(each) === getLineKey(line))
        return own ? formatLine(own, getGroupPrice(own, ratio)) : '–'
      },
    })),
  ]
  return (
    <ModalDialog wide title={t('Compare', { context: 'models' })} onClose={onClose}>
      <div className="model-prices">
        <p className="muted">{t('Viewing group {group}, ratio {ratio}', { group, ratio })}</p>
        {models.some(({ tiers }) => tiers.length > 0) && (
          <InlineNote>
            {t('Some cost more or less at certain times or for long prompts: see all prices of a model.')}
          </InlineNote>
        )}
        <div className="price-table" tabIndex={0} role="region" aria-label={t('Compare', { context: 'models' })}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('What', { context: 'item' })}</th>
                {models.map(({ model_name }) => (
                  <th key={model_name} scope="col">
                    {model_name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, head, cellOf }) => (
                <tr key={key}>
                  <th scope="row">{head}</th>
                  {models.map((model) => (
                    <td key={model.model_name} className="number">
                      {cellOf(model)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </ModalDialog>
  )
}
