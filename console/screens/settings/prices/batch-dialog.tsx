// One value for several models: a fixed price, a ratio, a completion ratio, or both ratios.
import { useState } from 'react'
import { showNotice } from '../../../data/notify.ts'
import { useText, texts } from '../../../data/texts.tsx'
import { ModalDialog } from '../../../parts/overlay/dialog.tsx'
import { FormField } from '../../../parts/form/field.tsx'
import { RadioRow } from '../../../parts/form/radio-row.tsx'
import { Button } from '../../../semi.ts'
import { DollarInput } from '../../prices/dollar-input.tsx'
import { parseAmount } from '../../prices/draft.ts'
import type { RowValue } from './maps.ts'
import { setRowPart } from './row-columns.tsx'

const KIND_TEXTS = texts({
  price: 'Fixed price',
  ratio: 'Model ratio',
  both: 'Model ratio and completion ratio',
  completion: 'Completion ratio',
})

const KINDS = ['price', 'ratio', 'completion', 'both'] as const
type BatchKind = (typeof KINDS)[number]

interface Props {
  /** Number of models. */
  n: number
  /** @param type label of the kind of value that was set */
  onSet(change: (row: RowValue) => RowValue, type: string): void
  onClose(): void
}

export function BatchDialog({ n, onSet, onClose }: Props) {
  const t = useText()
  const [kind, setKind] = useState<BatchKind>('price')
  const [value, setValue] = useState('')
  const [completion, setCompletion] = useState('')
  const save = () => {
    const texts = kind === 'both' ? [value, completion] : [value]
    if (texts.some((text) => text.trim() === ''))
      return showNotice.error(
        kind === 'both' ? t('enter both the model ratio and the completion ratio') : t('Please enter a fill value'),
      )
    const [first, second] = texts.map(parseAmount)
    if (first === undefined || (kind === 'both' && second === undefined))
      return showNotice.error(t('enter a valid number'))
    onSet((row) => {
      if (kind === 'both') return { ratio: first, completion: second }
      // A ratio replaces the fixed price.
      const { price: _, ...ratios } = row
      return kind === 'price' ? setRowPart(row, kind, first) : { ...ratios, [kind]: first }
    }, t(KIND_TEXTS[kind]))
  }
  return (
    <ModalDialog
      title={t('Batch set models')}
      onClose={onClose}
      onSubmit={save}
      foot={
        <Button htmlType="submit" theme="solid">
          {t('Set', { context: 'set' })}
        </Button>
      }
    >
      <FormField label={t('Type')}>
        <RadioRow
          label={t('Type')}
          value={kind}
          options={KINDS.map((one) => ({ value: one, label: t(KIND_TEXTS[one]) }))}
          onChange={(next) => setKind(next as BatchKind)}
        />
      </FormField>
      <DollarInput
        field="value"
        label={kind === 'both' ? t('Model ratio') : t('Fill value')}
        unit={kind === 'price' ? t('$ per request') : undefined}
        value={value}
        onChange={setValue}
      />
      {kind === 'both' && (
        <DollarInput field="completion" label={t('Completion ratio')} value={completion} onChange={setCompletion} />
      )}
      <p className="hint">{t('It will be set for {n} selected models: {type}', { n, type: t(KIND_TEXTS[kind]) })}</p>
    </ModalDialog>
  )
}
