// One value for several models: a fixed price, a ratio, a completion ratio, or both ratios.
import { useState } from 'react'
import { notify } from '../../../data/notify.ts'
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Field } from '../../../parts/field.tsx'
import { RadioRow } from '../../../parts/radio-row.tsx'
import { Button } from '../../../semi.ts'
import { DollarInput } from '../../prices/dollar-input.tsx'
import { parseAmount } from '../../prices/draft.ts'
import type { RowValue } from './maps.ts'
import { setPart } from './row-columns.tsx'
import { words } from './texts.ts'

const KINDS = ['price', 'ratio', 'completion', 'both'] as const
type Kind = (typeof KINDS)[number]

interface Props {
  /** Number of models. */
  n: number
  /** @param type label of the kind of value that was set */
  onSet(change: (row: RowValue) => RowValue, type: string): void
  onClose(): void
}

export function BatchDialog({ n, onSet, onClose }: Props) {
  const t = useTexts(words)
  const [kind, setKind] = useState<Kind>('price')
  const [value, setValue] = useState('')
  const [completion, setCompletion] = useState('')
  const save = () => {
    const texts = kind === 'both' ? [value, completion] : [value]
    if (texts.some((text) => text.trim() === '')) return notify.error(kind === 'both' ? t.needBoth : t.needValue)
    const [first, second] = texts.map(parseAmount)
    if (first === undefined || (kind === 'both' && second === undefined)) return notify.error(t.badNumber)
    onSet((row) => {
      if (kind === 'both') return { ratio: first, completion: second }
      // A ratio replaces the fixed price.
      const { price: _, ...ratios } = row
      return kind === 'price' ? setPart(row, kind, first) : { ...ratios, [kind]: first }
    }, t[kind])
  }
  return (
    <Dialog
      title={t.batchTitle}
      onClose={onClose}
      onSubmit={save}
      foot={
        <Button htmlType="submit" theme="solid">
          {t.set}
        </Button>
      }
    >
      <Field label={t.kind}>
        <RadioRow
          label={t.kind}
          value={kind}
          options={KINDS.map((one) => ({ value: one, label: t[one] }))}
          onChange={(next) => setKind(next as Kind)}
        />
      </Field>
      <DollarInput
        field="value"
        label={kind === 'both' ? t.ratio : t.value}
        unit={kind === 'price' ? t.perCall : undefined}
        value={value}
        onChange={setValue}
      />
      {kind === 'both' && (
        <DollarInput field="completion" label={t.completion} value={completion} onChange={setCompletion} />
      )}
      <p className="hint">{fillPhrase(t.batchHint, { n, type: t[kind] })}</p>
    </Dialog>
  )
}
