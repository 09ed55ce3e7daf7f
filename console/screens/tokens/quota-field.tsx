// How much a token may spend, in quota units, with quick picks in the site's money.
import { dollars, shortNumber } from '../../../core/pricing/display.ts'
import { useStatus } from '../../data/status.ts'
import { useTexts } from '../../data/texts.tsx'
import { useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { QuotaHint } from '../../parts/quota.tsx'
import { Button, InputNumber } from '../../semi.ts'
import { QUOTA_PICKS, type TokenDraft } from './form.ts'
import { form } from './form.built.ts'
import { words } from './texts.ts'

interface Props {
  draft: TokenDraft
  set(change: Partial<TokenDraft>): void
}

export function QuotaField({ draft, set }: Props) {
  const t = useTexts(words)
  const field = useFields(form)('remain_quota')
  const { quota_per_unit, display_in_currency } = useStatus()
  const label = (quota: number) => (display_in_currency ? dollars(quota / quota_per_unit, 0) : shortNumber(quota))
  return (
    <Field
      field="remain_quota"
      label={field.label}
      hint={!draft.unlimited_quota && <QuotaHint value={draft.remain_quota} />}
    >
      <InputNumber
        aria-label={field.label}
        hideButtons
        min={0}
        precision={0}
        disabled={draft.unlimited_quota}
        value={draft.remain_quota}
        onNumberChange={(remain_quota) => set({ remain_quota })}
      />
      <div className="field-row">
        {QUOTA_PICKS.map((quota) => (
          <Button
            key={quota}
            size="small"
            type={quota === draft.remain_quota && !draft.unlimited_quota ? 'primary' : 'tertiary'}
            disabled={draft.unlimited_quota}
            onClick={() => set({ remain_quota: quota })}
          >
            {label(quota)}
          </Button>
        ))}
        <Button size="small" type="warning" onClick={() => set({ unlimited_quota: !draft.unlimited_quota })}>
          {draft.unlimited_quota ? t.cancelUnlimited : t.makeUnlimited}
        </Button>
      </div>
    </Field>
  )
}
