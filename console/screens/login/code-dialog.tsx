// WeChat's dialog: the account to follow, and the code that it sends.
import { useState } from 'react'
import { useServerStatus } from '../../data/status.ts'
import { useText } from '../../data/texts.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { Button, Input } from '../../semi.ts'

interface Props {
  title: string
  /** Label of the submit button, a verb. */
  submit: string
  busy: boolean
  onCode(code: string): void
  onClose(): void
}

export function SecondFactorDialog({ title, submit, busy, onCode, onClose }: Props) {
  const t = useText()
  const { wechat_qrcode: picture } = useServerStatus()
  const [code, setCode] = useState('')
  const isEmpty = code.trim() === ''
  return (
    <ModalDialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        if (!isEmpty) onCode(code.trim())
      }}
      foot={
        <Button htmlType="submit" theme="solid" loading={busy} disabled={isEmpty}>
          {submit}
        </Button>
      }
    >
      {picture && (
        <img
          className="login-picture"
          src={picture}
          alt={t('QR code of the account to follow')}
          width={220}
          height={220}
        />
      )}
      <p className="muted">
        {t('scan the code, follow the account, send the keyword and enter the code (valid 3 minutes)')}
      </p>
      <FormField field="code" label={t('Code')}>
        <Input size="large" aria-label={t('Code')} autoComplete="one-time-code" value={code} onChange={setCode} />
      </FormField>
    </ModalDialog>
  )
}
