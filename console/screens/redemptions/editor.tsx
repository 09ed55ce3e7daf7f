// The panel that creates codes, or edits an unused one.
import { useState } from 'react'
import type { RedemptionCode } from '../../../core/redemptions/redemption.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { showNotice, showFieldErrors } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { MoneyField } from '../../parts/form/money-field.tsx'
import { DateTimeField } from '../../parts/form/date-time.tsx'
import { DeclaredField, useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { QUOTA_PRESETS } from '../tokens/form.ts'
import { initialCodeDraft, codeForm } from './form.built.ts'
import { isCodeCount, isCodeName } from './limits.ts'

interface Props {
  /** null to create codes. */
  code: RedemptionCode | null
  onClose(): void
  onSaved(): void
  onMade(codes: RedemptionCode[]): void
}

export function CodeEditor({ code, onClose, onSaved, onMade }: Props) {
  const t = useText()
  const format = useFormat()
  const field = useFieldTexts(codeForm)
  const [draft, setDraft] = useState(() => ({
    ...initialCodeDraft,
    ...(code ? { name: code.name, quota: code.quota, expired_time: code.expired_time, remark: code.remark } : {}),
  }))
  const set = (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change }))
  const amount = Number.isFinite(draft.quota) ? format.quota(draft.quota) : ''
  const [save, busy] = useAction(async () => {
    const { quota, count, expired_time, remark } = draft
    const name = draft.name.trim() === '' && !code ? amount : draft.name.trim()
    const wrong = [
      {
        field: 'name',
        message: t('name 1 to 20 characters, count above 0 and at most 100 per batch'),
        isWrong: !isCodeName(name),
      },
      { field: 'quota', message: t('enter the value of a code, at least 1'), isWrong: !(quota >= 1) },
      { field: 'expired_time', message: t('The expiry must be in the future'), isWrong: Number.isNaN(expired_time) },
      {
        field: 'count',
        message: t('name 1 to 20 characters, count above 0 and at most 100 per batch'),
        isWrong: !code && !isCodeCount(count),
      },
    ].filter(({ isWrong }) => isWrong)
    if (wrong.length > 0) return showFieldErrors(wrong)
    const given = {
      ...(expired_time === (code ?? initialCodeDraft).expired_time ? {} : { expired_time }),
      ...(remark === (code ?? initialCodeDraft).remark ? {} : { remark }),
    }
    if (code) {
      await apiClient.redemptions.update({ id: code.id, version: code.version, name, quota, ...given })
      showNotice.success(t('code updated'))
    } else {
      const { codes } = await apiClient.redemptions.create({ name, quota, count, ...given })
      showNotice.success(t('code created'))
      onMade(codes)
    }
    onSaved()
    onClose()
  })
  return (
    <SidePanel
      title={code ? t('Edit redemption code {name}', { name: code.name }) : t('New redemption codes')}
      side={code ? 'right' : 'left'}
      busy={busy}
      submit={code ? t('Save') : t('Create', { context: 'save' })}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField form={codeForm} name="name" draft={draft} set={set} placeholder={code ? undefined : amount} />
      <MoneyField
        field="quota"
        label={field('quota').label}
        value={draft.quota}
        onChange={(quota) => set({ quota })}
        picks={QUOTA_PRESETS}
        min={1}
        required
      />
      {!code && <DeclaredField form={codeForm} name="count" draft={draft} set={set} required />}
      <FormField
        field="expired_time"
        label={field('expired_time').label}
        hint={t('Empty: it can be redeemed at any time.')}
      >
        <DateTimeField
          label={field('expired_time').label}
          value={draft.expired_time === 0 ? null : draft.expired_time}
          onChange={(seconds) => set({ expired_time: seconds ?? 0 })}
        />
      </FormField>
      <DeclaredField form={codeForm} name="remark" draft={draft} set={set} />
    </SidePanel>
  )
}
