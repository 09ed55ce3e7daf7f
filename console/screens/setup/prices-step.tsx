// The served models and their prices. Models without a price are listed, and can be priced here.
import { useState } from 'react'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useServerStatus } from '../../data/status.ts'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { SingleCombobox } from '../../parts/form/combobox.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, InputNumber } from '../../semi.ts'
import type { StepProps } from './use-facts.ts'

/** Maximum number of listed models. */
const MOST = 12

export function PricesStep({ facts: { models, unpriced }, changed }: StepProps) {
  const t = useText()
  const { self_use_mode_enabled: ownUse } = useServerStatus()
  const { data, loading } = useEndpoint(['prices.list'], () => apiClient.prices.list({}))
  const served = (data ?? []).filter(({ served: is, price }) => is && price !== null)
  if (models.length === 0) return <p className="muted">{t('No model is served yet: add a channel first.')}</p>
  if (!data && loading) return <LoadingIndicator />
  return (
    <>
      <p>
        {t('{n} models can be called. Prices are in dollars for 1M tokens, prompt and answer.', { n: models.length })}
      </p>
      <dl className="lines path-prices">
        {served.slice(0, MOST).map(({ model, prices }) => (
          <div key={model}>
            <dt>{model}</dt>
            <dd className="number">
              {prices
                .slice(0, 2)
                .map(({ usd }) => `$${usd}`)
                .join(' / ')}
            </dd>
          </div>
        ))}
      </dl>
      {served.length > MOST && <p className="muted">{t('{n} more have a price.', { n: served.length - MOST })}</p>}
      {unpriced.length > 0 && (
        <>
          <InlineNote warns={!ownUse}>
            {t(
              ownUse
                ? 'Without their own price, charged at a built-in ratio: {models}'
                : 'Without a price these cannot be called: {models}',
              { models: unpriced.slice(0, MOST).join(', ') },
            )}
          </InlineNote>
          <PriceForm models={unpriced} changed={changed} />
        </>
      )}
    </>
  )
}

function PriceForm({ models, changed }: { models: readonly string[]; changed(): void }) {
  const t = useText()
  const [chosen, setChosen] = useState('')
  const [input, setInput] = useState(1)
  const [output, setOutput] = useState(4)
  const model = chosen || models[0]!
  const [save, busy] = useAction(async () => {
    await apiClient.prices.set({ model, usd: { input, output } })
    showNotice.success(t('price of {model} saved', { model }))
    setChosen('')
    changed()
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <FormField label={t('Model')}>
        <SingleCombobox
          label={t('Model')}
          value={model}
          onChange={setChosen}
          options={models.map((value) => ({ value }))}
        />
      </FormField>
      <div className="field-columns">
        <FormField label={t('Prompt', { context: 'test' })} hint={t('Dollars for 1M tokens')}>
          <InputNumber aria-label={t('Prompt', { context: 'test' })} min={0} value={input} onNumberChange={setInput} />
        </FormField>
        <FormField label={t('Answer', { context: 'test' })} hint={t('Dollars for 1M tokens')}>
          <InputNumber
            aria-label={t('Answer', { context: 'test' })}
            min={0}
            value={output}
            onNumberChange={setOutput}
          />
        </FormField>
      </div>
      <div className="path-acts">
        <Button htmlType="submit" theme="solid" loading={busy}>
          {t('Set price')}
        </Button>
      </div>
    </form>
  )
}
