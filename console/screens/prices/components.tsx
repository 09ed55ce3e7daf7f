// The parts of a price as fields: each component in dollars as the core declares it, pictures, tools and tiers.
import { useState } from 'react'
import { useLanguage, useText } from '../../data/texts.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { RowsField } from '../../parts/form/rows-field.tsx'
import { Button, InputNumber, TextArea } from '../../semi.ts'
import { findComponent } from '../../../core/pricing/components.ts'
import { DollarInput } from './dollar-input.tsx'
import { listDollarNames, type DollarName, type PriceDraft, type PriceLine, type PriceRow } from './draft.ts'
import { formatTierSentences, formatUnit, findLinePrice } from './lines.ts'
import { TierRows } from './tier-rows.tsx'

interface Props {
  row: PriceRow | null
  draft: PriceDraft
  set(change: Partial<PriceDraft>): void
  /** The price that results from the entered values; its lines are the placeholders of empty fields. */
  there: readonly PriceLine[] | undefined
}

/** An example with one window of the day. */
const SAMPLE = JSON.stringify([{ time_zone: 'Asia/Shanghai', hours: [[0, 9]], factor: 0.5 }], null, 2)

/** Components that are shown even if they are empty. */
const USUAL: readonly DollarName[] = ['input', 'output', 'cache_read', 'cache_write', 'call']

export function PriceComponentFields({ row, draft, set, there }: Props) {
  const t = useText()
  const { language } = useLanguage()
  const { mode, typed } = draft
  const [isExpanded, setExpanded] = useState(false)
  const isInUse = (name: DollarName) => USUAL.includes(name) || typed[name] !== undefined
  const names = listDollarNames(mode).filter((name) => isExpanded || isInUse(name))
  const lists = findUsedLists(row, draft)
  const patterns = patternTiers(row)
  const others = formatTierSentences(patterns, language)
  return (
    <>
      <div className={mode === 'token' ? 'field-columns' : undefined}>
        {names.map((name) => {
          const component = findComponent(name)
          const rule = findLinePrice(there ?? row?.prices ?? [], name)
          return (
            <DollarInput
              key={name}
              field={`usd.${name}`}
              label={component?.label[language] ?? name}
              unit={formatUnit(component?.unit ?? 'token', language)}
              required={name === 'call' || name === 'input'}
              placeholder={rule === undefined ? undefined : String(rule)}
              hint={typed[name] || rule === undefined ? undefined : t('follows its rule')}
              value={typed[name] ?? ''}
              onChange={(text) => set({ typed: { ...typed, [name]: text } })}
            />
          )
        })}
      </div>
      {(isExpanded || lists.images) && (
        <Numbers
          field="price.image_multipliers"
          label={t('Sizes and qualities of pictures')}
          hint={t('Multiplier of the price of one picture by size, quality, or quality:size')}
          heads={[t('Size or quality'), t('Times')]}
          value={draft.image_multipliers}
          onChange={(image_multipliers) => set({ image_multipliers })}
        />
      )}
      {(isExpanded || lists.prompt) && (
        <TierRows
          field="price.tiers.prompt"
          label={t('Long prompts')}
          hint={t('Number of tokens above which the whole call is multiplied by the factor')}
          head={t('Above (tokens)')}
          rows={draft.prompt}
          onChange={(prompt) => set({ prompt })}
        />
      )}
      {(isExpanded || lists.service) && (
        <TierRows
          field="price.tiers.service"
          label={t('Service tiers')}
          hint={t('Multiplier for calls that the provider serves in this tier')}
          head={t('Tier')}
          rows={draft.service}
          onChange={(service) => set({ service })}
        />
      )}
      {(isExpanded || lists.time) && (
        <FormField
          field="price.tiers.time"
          label={t('Times of day')}
          hint={t('JSON: windows of a time zone with hours and a factor')}
        >
          <TextArea
            className="mono"
            aria-label={t('Times of day')}
            placeholder={SAMPLE}
            autosize={{ minRows: 2, maxRows: 12 }}
            value={draft.time}
            onChange={(time) => set({ time })}
          />
        </FormField>
      )}
      {(isExpanded || lists.tools) && (
        <Numbers
          field="price.tools"
          label={t('Tools')}
          hint={t('$ per 1,000 calls of the provider’s own tools, for this model alone')}
          heads={[t('Tool'), t('$ per 1,000 calls')]}
          value={draft.tools}
          onChange={(tools) => set({ tools })}
        />
      )}
      {others.length > 0 && (
        <p className="hint">
          {t('From patterns of the settings: {tiers}', {
            tiers: others.reduce((first, second) => t('{first}; {second}', { first, second })),
          })}
        </p>
      )}
      {!isExpanded && (
        <div className="price-more">
          <Button size="small" type="tertiary" onClick={() => setExpanded(true)}>
            {t('More components')}
          </Button>
        </div>
      )}
    </>
  )
}

/** Lists that have values are expanded by default. */
const findUsedLists = (row: PriceRow | null, draft: PriceDraft) => ({
  images: Object.keys(row?.said.image_multipliers ?? {}).length > 0,
  tools: Object.keys(row?.said.tools ?? {}).length > 0,
  prompt: draft.prompt.length > 0,
  service: draft.service.length > 0,
  time: draft.time !== '',
})

/** Tiers that the price inherits. Cache prices are not among them: they are given in dollars. */
function patternTiers(row: PriceRow | null) {
  const { cache: _cache, ...all } = row?.price?.tiers ?? {}
  const own = row?.said.tiers ?? {}
  const service = Object.entries(all.service ?? {}).filter(([name]) => !Object.hasOwn(own.service ?? {}, name))
  return {
    ...(own.prompt ? {} : { prompt: all.prompt }),
    ...(own.time ? {} : { time: all.time }),
    service: Object.fromEntries(service),
  }
}

interface NumbersProps {
  field: string
  label: string
  hint: string
  heads: readonly [string, string]
  value: Readonly<Record<string, number>>
  onChange(value: Record<string, number>): void
}

function Numbers({ field, label, hint, ...rows }: NumbersProps) {
  return (
    <FormField field={field} label={label} hint={hint}>
      <RowsField
        label={label}
        blank={1}
        {...rows}
        renderValue={(control) => (
          <InputNumber
            hideButtons
            aria-label={control.label}
            min={0}
            value={control.value}
            onNumberChange={control.onChange}
          />
        )}
      />
    </FormField>
  )
}
