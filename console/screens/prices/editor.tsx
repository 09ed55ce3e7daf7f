// The panel that sets the price of a model in dollars: every component, tiers and tools, and the effect on the bills.
import { useEffect, useState } from 'react'
import { apiClient, RequestFailure } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { showFieldErrors } from '../../data/notify.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useManaged } from '../../data/use-managed.ts'
import { useAction, useEndpoint, useEndpointWithError } from '../../data/use-endpoint.ts'
import { SingleCombobox } from '../../parts/form/combobox.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { RadioRow } from '../../parts/form/radio-row.tsx'
import { ManagedNote } from '../../parts/status/managed-note.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { PriceComponentFields } from './components.tsx'
import type { ChargeMode, PriceDraft, PriceRow } from './draft.ts'
import { toPriceDraft, toPriceRequest, findPriceErrors } from './draft.ts'
import { formatLineName } from './lines.ts'
import { changeModelPrice } from './change-price.ts'
import { TrialPreview, useTrial } from './trial.tsx'

interface Props {
  /** Empty for a model that is yet to be named. */
  model: string
  /** The channel whose cost is set; empty for the sale price. */
  channel: string
  onClose(): void
  onSaved(): void
}

/** Loads the current price; null if the model is not known. */
const loadPriceRow = async (model: string, channel: string): Promise<PriceRow | null> => {
  const rows = await apiClient.prices.list({
    keyword: model,
    ...(channel === '' ? { all: 'true' } : { bought: 'true' }),
  })
  return rows.find((row) => row.model === model && row.channel === channel) ?? null
}

export function PriceEditor({ model, channel, onClose, onSaved }: Props) {
  const t = useText()
  const found = useEndpointWithError(['prices.list', 'one', model, channel], async () =>
    model === '' ? null : loadPriceRow(model, channel),
  )
  if (found.data !== undefined && !found.loading)
    return <Panel row={found.data} model={model} channel={channel} onClose={onClose} onSaved={onSaved} />
  return (
    <SidePanel
      title={model === '' ? t('Set the price of a model') : t('Price of {name}', { name: model })}
      side="right"
      busy
      submit={t('Save price')}
      draft={null}
      onSubmit={() => undefined}
      onClose={onClose}
    >
      {found.error ? <p role="alert">{found.error}</p> : <LoadingIndicator />}
    </SidePanel>
  )
}

function Panel({ row: initialRow, model, channel, onClose, onSaved }: Props & { row: PriceRow | null }) {
  const t = useText()
  const [row, setRow] = useState(initialRow)
  const [draft, setDraft] = useState(() => toPriceDraft(initialRow, model))
  const [newerRow, setNewerRow] = useState<PriceRow | null>(null)
  const set = (change: Partial<PriceDraft>) => setDraft((old) => ({ ...old, ...change }))
  const wrong = findPriceErrors(draft, t)
  const trial = useTrial(channel === '' && wrong.length === 0 ? toPriceRequest(draft) : null)
  const name = draft.model.trim()
  const managed = useManaged(channel === '' ? [`prices ${name}`] : [])

  const [save, busy] = useAction(async () => {
    if (wrong.length > 0) return showFieldErrors(wrong, 'info')
    const { version } = row ?? {}
    try {
      await changeModelPrice({
        model: name,
        channel,
        message: t('price of {name} saved', { name }),
        isSentence: true,
        done: onSaved,
        act: () => apiClient.prices.set({ ...toPriceRequest(draft), channel, version }),
      })
    } catch (error) {
      // Another user has changed the price: shows the stored values, and saving again confirms the change.
      if (error instanceof RequestFailure && error.code === 'prices.changed') {
        const now = await loadPriceRow(name, channel)
        setNewerRow(now)
        setRow(now)
        return
      }
      throw error
    }
    onSaved()
    onClose()
  })
  return (
    <SidePanel
      title={model === '' ? t('Set the price of a model') : t('Price of {name}', { name: model })}
      side={model === '' ? 'left' : 'right'}
      busy={busy}
      submit={t('Save price')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {managed && <ManagedNote {...managed} />}
      {newerRow && (
        <InlineNote warns>
          <p>
            {t(
              'Another user has changed this price in the meantime. Saving again replaces it with yours. Their version:',
            )}{' '}
            <Short row={newerRow} />
          </p>
          <Button
            size="small"
            type="tertiary"
            onClick={() => {
              setDraft(toPriceDraft(newerRow, model))
              setNewerRow(null)
            }}
          >
            {t('Use their version')}
          </Button>
        </InlineNote>
      )}
      {model === '' && (
        <Named
          draft={draft}
          set={set}
          onKnown={(known) => {
            setRow(known)
            setDraft(toPriceDraft(known, known.model))
          }}
        />
      )}
      <FormField label={t('Charged', { context: 'way' })}>
        <RadioRow
          label={t('Charged', { context: 'way' })}
          value={draft.mode}
          onChange={(mode) => set({ mode: mode as ChargeMode })}
          options={[
            { value: 'token', label: t('Per token') },
            { value: 'request', label: t('Per request') },
          ]}
        />
      </FormField>
      <PriceComponentFields
        row={row}
        draft={draft}
        set={set}
        there={trial.data?.rows.find((one) => one.model === name)?.there}
      />
      {channel === '' && <TrialPreview found={trial} />}
    </SidePanel>
  )
}

/** The main components, for comparison. */
function Short({ row: { prices } }: { row: PriceRow }) {
  const t = useText()
  const format = useFormat()
  const { language } = useLanguage()
  if (prices.length === 0) return <>{t('no price')}</>
  return (
    <>
      {prices
        .slice(0, 3)
        .map((line) => `${formatLineName(line, language)} ${format.listPrice(line.usd)}`)
        .join(', ')}
    </>
  )
}

interface NamedProps {
  draft: PriceDraft
  set(change: Partial<PriceDraft>): void
  /** Receives the price of a model that has one or is served. */
  onKnown(row: PriceRow): void
}

/** The field for the name of a model, a known one or any other. */
function Named({ draft, set, onKnown }: NamedProps) {
  const t = useText()
  const { data = [] } = useEndpoint(['prices.list', 'all'], () => apiClient.prices.list({ all: 'true' }))
  const known = data.find(({ model }) => model === draft.model)
  const [filled, setFilled] = useState('')
  useEffect(() => {
    if (!known || known.model === filled) return
    setFilled(known.model)
    onKnown(known)
  }, [known, filled, onKnown])
  return (
    <FormField field="model" label={t('Model')} required>
      <SingleCombobox
        label={t('Model')}
        free
        value={draft.model}
        options={data.map(({ model }) => ({ value: model }))}
        onChange={(model) => set({ model })}
      />
    </FormField>
  )
}
