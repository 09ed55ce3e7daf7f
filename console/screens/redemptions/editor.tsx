// The panel that creates codes, or edits an unused one.
import { useState } from 'react'
import type { Redemption } from '../../../core/redemptions/redemption.ts'
import { client } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { notify, showFieldErrors } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { AmountField } from '../../parts/amount-field.tsx'
import { DateTimeField } from '../../parts/date-time.tsx'
import { DeclaredField, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { QUOTA_PICKS } from '../tokens/form.ts'
import { initialCode, form } from './form.built.ts'
import { isCount, isName } from './limits.ts'

interface Props {
  /** null to create codes. */
  code: Redemption | null
  onClose(): void
  onSaved(): void
  onMade(codes: Redemption[]): void
}

export function CodeEditor({ code, onClose, onSaved, onMade }: Props) {
  const t = useText()
  const format = useFormat()
  const field = useFields(form)
  const [draft, setDraft] = useState(() => ({
    ...initialCode,
    ...(code ? { name: code.name, quota: code.quota, expired_time: code.expired_time, remark: code.remark } : {}),
  }))
  const set = (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change }))
  const amount = format.quota(draft.quota)
  const [save, busy] = useAction(async () => {
    const { quota, count, expired_time, remark } = draft
    const name = draft.name.trim() === '' && !code ? amount : draft.name.trim()
    const wrong = [
      {
        field: 'name',
        message: t('name 1 to 20 characters, count above 0 and at most 100 per batch'),
        isWrong: !isName(name),
      },
      { field: 'quota', message: t('enter what a code is worth, at least 1'), isWrong: !(quota >= 1) },
      { field: 'expired_time', message: t('The expiry must be in the future'), isWrong: Number.isNaN(expired_time) },
      {
        field: 'count',
        message: t('name 1 to 20 characters, count above 0 and at most 100 per batch'),
        isWrong: !code && !isCount(count),
      },
    ].filter(({ isWrong }) => isWrong)
    if (wrong.length > 0) return showFieldErrors(wrong)
    const given = {
      ...(expired_time === (code ?? initialCode).expired_time ? {} : { expired_time }),
      ...(remark === (code ?? initialCode).remark ? {} : { remark }),
    }
    if (code) {
      await client.redemptions.update({ id: code.id, version: code.version, name, quota, ...given })
      notify.success(t('code updated'))
    } else {
      const { codes } = await client.redemptions.create({ name, quota, count, ...given })
      notify.success(t('code created'))
      onMade(codes)
    }
    onSaved()
    onClose()
  })
  return (
    <SidePanel
      title={code ? t('Edit redemption code') : t('New redemption codes')}
      side={code ? 'right' : 'left'}
      busy={busy}
      submit={code ? t('Save') : t('Create', { context: 'save' })}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField form={form} name="name" draft={draft} set={set} placeholder={code ? undefined : amount} />
      <AmountField
        field="quota"
        label={field('quota').label}
        value={draft.quota}
        onChange={(quota) => set({ quota })}
        picks={QUOTA_PICKS}
        min={1}
        required
      />
      {!code && <DeclaredField form={form} name="count" draft={draft} set={set} required />}
      <Field
        field="expired_time"
        label={field('expired_time').label}
        hint={t('Empty: it can be redeemed at any time.')}
      >
        <DateTimeField
          label={field('expired_time').label}
          value={draft.expired_time === 0 ? null : draft.expired_time}
          onChange={(seconds) => set({ expired_time: seconds ?? 0 })}
        />
      </Field>
      <DeclaredField form={form} name="remark" draft={draft} set={set} />
    </SidePanel>
  )
}
