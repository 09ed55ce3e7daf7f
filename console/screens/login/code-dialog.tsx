// WeChat's dialog: the account to follow, and the code that it sends.
import { useState } from 'react'
import { useStatus } from '../../data/status.ts'
import { useTexts } from '../../data/texts.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Button, Input } from '../../semi.ts'
import { words } from './texts.ts'

interface Props {
  title: string
  /** Label of the submit button, a verb. */
  submit: string
  busy: boolean
  onCode(code: string): void
  onClose(): void
}

export function CodeDialog({ title, submit, busy, onCode, onClose }: Props) {
  const t = useTexts(words)
  const { wechat_qrcode: picture } = useStatus()
  const [code, setCode] = useState('')
  const isEmpty = code.trim() === ''
  return (
    <Dialog
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
      {picture && <img className="login-picture" src={picture} alt={t.picture} width={220} height={220} />}
      <p className="muted">{t.scan}</p>
      <Field field="code" label={t.code}>
        <Input size="large" aria-label={t.code} autoComplete="one-time-code" value={code} onChange={setCode} />
      </Field>
    </Dialog>
  )
}
