// The quota of a token, or no limit other than the balance of its owner.
import { useTexts } from '../../data/texts.tsx'
import { AmountField } from '../../parts/amount-field.tsx'
import { useFields } from '../../parts/declared-fields.tsx'
import { Button } from '../../semi.ts'
import { QUOTA_PICKS, type TokenDraft } from './form.ts'
import { form } from './form.built.ts'
import { words } from './texts.ts'

interface QuotaFieldProps {
  draft: TokenDraft
  set(change: Partial<TokenDraft>): void
}

export function QuotaField({ draft, set }: QuotaFieldProps) {
  const t = useTexts(words)
  return (
    <AmountField
      field="remain_quota"
      label={useFields(form)('remain_quota').label}
      value={draft.remain_quota}
      onChange={(remain_quota) => set({ remain_quota })}
      picks={QUOTA_PICKS}
      disabled={draft.unlimited_quota}
    >
      <Button size="small" type="warning" onClick={() => set({ unlimited_quota: !draft.unlimited_quota })}>
        {draft.unlimited_quota ? t.cancelUnlimited : t.makeUnlimited}
      </Button>
    </AmountField>
  )
}
