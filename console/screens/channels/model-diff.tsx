// Compares the models of a channel with its provider's list: new, missing and unchanged models to choose from.
import { useState } from 'react'
import { parseNamedTexts } from '../../../core/channels/channel.ts'
import { compareChannelModels } from '../../../core/channels/model-mapping.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText, texts } from '../../data/texts.tsx'
import { useCopy } from '../../parts/text/copy.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import './model-diff.css'

const PART_TEXTS = texts({ new: 'New', unchanged: 'Kept', gone: 'No longer listed' })

interface Props {
  /** Name of the channel. */
  name: string
  /** The current models of the channel. */
  current: readonly string[]
  /** The text of its model mapping. */
  mapping: string
  /** Identifies the list in the cache: the channel, or the address and key. */
  of: readonly unknown[]
  /** Fetches the list of the provider, with `quietClient`: the failure is shown here. */
  load(): Promise<string[]>
  onApply(models: string[]): Promise<void> | void
  onClose(): void
}

export function ModelDiff({ name, current, mapping, of, load, onApply, onClose }: Props) {
  const t = useText()
  const format = useFormat()
  const [copy, copyDialog] = useCopy()
  const offered = useEndpointWithError(['channels.fetchModels', ...of], async () => {
    const models = await load()
    showNotice.success(t('model list fetched'))
    return models
  })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(current))
  const [filter, setFilter] = useState('')
  const [apply, busy] = useAction(async (models: string[]) => {
    if (models.length === 0) return showNotice.error(t('Please select at least one model!'))
    await onApply(models)
    onClose()
  })
  const fresh = offered.data !== undefined && !offered.loading
  const parts = compareChannelModels(current, parseNamedTexts(mapping), offered.data ?? [])
  // The current models stay in their order.
  const models = [...current, ...parts.new].filter((model) => chosen.has(model))
  const added = models.filter((model) => !current.includes(model)).length
  const removed = current.length - (models.length - added)
  const isShown = (model: string) => model.toLowerCase().includes(filter.trim().toLowerCase())
  const choose = (some: readonly string[], on: boolean) =>
    setChosen((old) => new Set(on ? [...old, ...some] : [...old].filter((model) => !some.includes(model))))
  const shown = PARTS.map((part) => ({ part, models: parts[part].filter(isShown) })).filter(
    (each) => each.models.length > 0,
  )
  const counts = {
    n: format.number(models.length),
    added: format.number(added),
    removed: format.number(removed),
  }
  return (
    <ModalDialog
      title={t('Models of {name}', { name })}
      wide
      onClose={onClose}
      onSubmit={() => void (fresh && apply(models))}
      foot={
        <>
          <span className="dialog-aside hint" role="status">
            {fresh && t('{n} models: {added} added, {removed} removed', counts)}
          </span>
          <Button
            type="tertiary"
            disabled={!fresh}
            onClick={() => void copy((offered.data ?? []).join(','), t('Copy list'))}
          >
            {t('Copy list')}
          </Button>
          <Button htmlType="submit" theme="solid" loading={busy} disabled={!fresh || added + removed === 0}>
            {t('Apply')}
          </Button>
        </>
      }
    >
      {offered.error ? (
        <EmptyState failed title={offered.error}>
          <Button onClick={offered.reload}>{t('Try again')}</Button>
        </EmptyState>
      ) : !fresh ? (
        <LoadingIndicator />
      ) : (
        <>
          <Input
            aria-label={t('Filter models')}
            placeholder={t('Filter models')}
            value={filter}
            showClear
            onChange={setFilter}
          />
          {parts.new.length + parts.gone.length === 0 && (
            <p className="hint">{t('The channel has exactly the models that its provider lists.')}</p>
          )}
          {shown.length === 0 && <p className="hint">{t('No model matches.')}</p>}
          {shown.map(({ part, models: some }) => (
            <section key={part} className={`diff-part diff-${part}`} aria-label={t(PART_TEXTS[part])}>
              <header>
                <h2>{t(PART_TEXTS[part])}</h2>
                <span className="muted number">{format.number(some.length)}</span>
                <ChooseButton some={some} chosen={chosen} choose={choose} />
              </header>
              <div className="diff-models">
                {some.map((model) => (
                  <label key={model}>
                    <input
                      type="checkbox"
                      className="check"
                      checked={chosen.has(model)}
                      onChange={({ target }) => choose([model], target.checked)}
                    />
                    <span>{model}</span>
                  </label>
                ))}
              </div>
            </section>
          ))}
        </>
      )}
      {copyDialog}
    </ModalDialog>
  )
}

const PARTS = ['new', 'gone', 'unchanged'] as const

interface ChooseProps {
  some: string[]
  chosen: ReadonlySet<string>
  choose(some: string[], on: boolean): void
}

function ChooseButton({ some, chosen, choose }: ChooseProps) {
  const t = useText()
  const all = some.every((model) => chosen.has(model))
  return (
    <Button size="small" theme="borderless" onClick={() => choose(some, !all)}>
      {all ? t('Choose none') : t('Choose all')}
    </Button>
  )
}
