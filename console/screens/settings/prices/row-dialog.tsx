// The dialog of one row: per token, by ratio or by price, or per request.
import { useState } from 'react'
import { type RefusedFormField, showFieldErrors } from '../../../data/notify.ts'
import { useText } from '../../../data/texts.tsx'
import { type RowValue, toDollars, toRatios } from './maps.ts'
import { FormField } from '../../../parts/form/field.tsx'
import { RadioRow } from '../../../parts/form/radio-row.tsx'
import { SidePanel } from '../../../parts/overlay/side-panel.tsx'
import { Input } from '../../../semi.ts'
import { DollarInput } from '../../prices/dollar-input.tsx'
import { parseAmount, type ChargeMode } from '../../prices/draft.ts'

interface Props {
  /** Empty to add a row. */
  name: string
  value: RowValue
  isTaken(name: string): boolean
  onSave(name: string, value: RowValue): void
  onClose(): void
}

type PricingBasis = 'ratio' | 'price'

const shownNumber = (value: number | undefined) => (value === undefined ? '' : String(value))

export function PriceRowDialog({ name, value, isTaken, onSave, onClose }: Props) {
  const t = useText()
  const isNew = name === ''
  const initialDollars = toDollars(value)
  const [draft, setDraft] = useState({
    name,
    mode: (value.price === undefined ? 'token' : 'request') as ChargeMode,
    by: 'ratio' as PricingBasis,
    price: shownNumber(value.price),
    ratio: shownNumber(value.ratio),
    completion: shownNumber(value.completion),
    input: shownNumber(initialDollars.input),
    output: shownNumber(initialDollars.output),
  })
  const set = (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change }))
  const { mode, by } = draft
  const number = (text: string) => parseAmount(text)
  const ratios: RowValue =
    by === 'ratio'
      ? { ratio: number(draft.ratio), completion: number(draft.completion) }
      : toRatios(number(draft.input) ?? 0, number(draft.output))
  const fields = mode === 'request' ? ['price'] : by === 'ratio' ? ['ratio', 'completion'] : ['input', 'output']
  const save = () => {
    const typed = draft.name.trim()
    const getFieldText = (field: string) => draft[field as 'price']
    const notNumbers = fields.filter(
      (field, at) => (at === 0 || getFieldText(field).trim() !== '') && number(getFieldText(field)) === undefined,
    )
    const isZero = by === 'price' && mode === 'token' && number(draft.input) === 0 && (number(draft.output) ?? 0) > 0
    const seen: [boolean, RefusedFormField][] = [
      [typed === '', { field: 'name', message: t('enter a model name') }],
      [isNew && isTaken(typed), { field: 'name', message: t('Model name already exists') }],
      [isZero, { field: 'input', message: t('model price cannot be 0') }],
    ]
    const wrong = [
      ...seen.filter(([isWrong]) => isWrong).map(([, refusal]) => refusal),
      ...notNumbers.map((field) => ({ field, message: t('Please enter a number') })),
    ]
    if (wrong.length > 0) return showFieldErrors(wrong)
    onSave(typed, mode === 'request' ? { price: number(draft.price) } : ratios)
  }
  const dollars = toDollars(ratios)
  return (
    <SidePanel
      title={isNew ? t('Add model') : t('Edit {name}', { name })}
      side={isNew ? 'left' : 'right'}
      busy={false}
      submit={t('Set', { context: 'set' })}
      draft={draft}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField field="name" label={t('Model name')} required>
        <Input
          aria-label={t('Model name')}
          disabled={!isNew}
          maxLength={200}
          value={draft.name}
          onChange={(text) => set({ name: text })}
        />
      </FormField>
      <FormField label={t('Pricing mode')}>
        <RadioRow
          label={t('Pricing mode')}
          value={mode}
          options={[
            { value: 'token', label: t('Per token') },
            { value: 'request', label: t('Per request') },
          ]}
          // Changing the billing mode clears the values of the other mode.
          onChange={(next) =>
            set(
              next === 'request'
                ? { mode: 'request', ratio: '', completion: '', input: '', output: '' }
                : { mode: 'token', price: '' },
            )
          }
        />
      </FormField>
      {mode === 'request' ? (
        <DollarInput
          field="price"
          label={t('Fixed price')}
          unit={t('$ per request')}
          required
          value={draft.price}
          onChange={(price) => set({ price })}
        />
      ) : (
        <>
          <FormField label={t('Set', { context: 'way' })}>
            <RadioRow
              label={t('Set', { context: 'way' })}
              value={by}
              options={[
                { value: 'ratio', label: t('By ratio') },
                { value: 'price', label: t('By price') },
              ]}
              onChange={(next) =>
                set(
                  next === 'price'
                    ? { by: 'price', input: shownNumber(dollars.input), output: shownNumber(dollars.output) }
                    : { by: 'ratio', ratio: shownNumber(ratios.ratio), completion: shownNumber(ratios.completion) },
                )
              }
            />
          </FormField>
          <div className="field-columns">
            {by === 'ratio' ? (
              <>
                <DollarInput
                  field="ratio"
                  label={t('Model ratio')}
                  required
                  value={draft.ratio}
                  onChange={(ratio) => set({ ratio })}
                />
                <DollarInput
                  field="completion"
                  label={t('Completion ratio')}
                  value={draft.completion}
                  onChange={(completion) => set({ completion })}
                />
              </>
            ) : (
              <>
                <DollarInput
                  field="input"
                  label={t('Input price')}
                  unit={t('$/1M tokens')}
                  required
                  value={draft.input}
                  onChange={(input) => set({ input })}
                />
                <DollarInput
                  field="output"
                  label={t('Output price')}
                  unit={t('$/1M tokens')}
                  value={draft.output}
                  onChange={(output) => set({ output })}
                />
              </>
            )}
          </div>
          {dollars.input !== undefined && (
            <p className="hint">
              {t('{input} $/1M tokens of input, {output} of output', {
                input: dollars.input,
                output: dollars.output ?? '–',
              })}
            </p>
          )}
        </>
      )}
    </SidePanel>
  )
}
