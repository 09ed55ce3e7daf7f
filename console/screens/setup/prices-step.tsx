// The served models and their prices. Models without a price are listed, and can be priced here.
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useStatus } from '../../data/status.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { PickOne } from '../../parts/combobox.tsx'
import { Field } from '../../parts/field.tsx'
import { Note } from '../../parts/note.tsx'
import { Button, InputNumber } from '../../semi.ts'
import { words } from './path-texts.ts'
import type { StepProps } from './use-facts.ts'

/** Maximum number of listed models. */
const MOST = 12

export function PricesStep({ facts: { models, unpriced }, changed }: StepProps) {
  const t = useTexts(words)
  const { self_use_mode_enabled: ownUse } = useStatus()
  const { data = [] } = useEndpoint(['prices.list'], () => client.prices.list({}))
  const served = data.filter(({ served: is, price }) => is && price !== null)
  if (models.length === 0) return <p className="muted">{t.noModels}</p>
  return (
    <>
      <p>{fillPhrase(t.served, { n: models.length })}</p>
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
      {served.length > MOST && <p className="muted">{fillPhrase(t.more, { n: served.length - MOST })}</p>}
      {unpriced.length > 0 && (
        <>
          <Note warns={!ownUse}>
            {fillPhrase(ownUse ? t.unpricedOwn : t.unpriced, { models: unpriced.slice(0, MOST).join(', ') })}
          </Note>
          <PriceForm models={unpriced} changed={changed} />
        </>
      )}
    </>
  )
}

function PriceForm({ models, changed }: { models: readonly string[]; changed(): void }) {
  const t = useTexts(words)
  const [chosen, setChosen] = useState('')
  const [input, setInput] = useState(1)
  const [output, setOutput] = useState(4)
  const model = chosen || models[0]!
  const [save, busy] = useAction(async () => {
    await client.prices.set({ model, usd: { input, output } })
    notify.success(fillPhrase(t.priced, { model }))
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
      <Field label={t.model}>
        <PickOne label={t.model} value={model} onChange={setChosen} options={models.map((value) => ({ value }))} />
      </Field>
      <div className="field-columns">
        <Field label={t.input} hint={t.perMillion}>
          <InputNumber aria-label={t.input} min={0} value={input} onNumberChange={setInput} />
        </Field>
        <Field label={t.output} hint={t.perMillion}>
          <InputNumber aria-label={t.output} min={0} value={output} onNumberChange={setOutput} />
        </Field>
      </div>
      <div className="path-acts">
        <Button htmlType="submit" theme="solid" loading={busy}>
          {t.setPrice}
        </Button>
      </div>
    </form>
  )
}
