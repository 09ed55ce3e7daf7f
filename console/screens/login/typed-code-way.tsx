// WeChat: people follow the account of the site and are given a code there, which they type here.
import { IconComment } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { useStatus } from '../../data/status.ts'
import { fill, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Button, Input } from '../../semi.ts'
import { inviter } from './inviter.ts'
import { words } from './texts.ts'
import type { WayProps } from './way.ts'

export function TypedCodeWay({ name, signIn, enter }: WayProps) {
  const t = useTexts(words)
  const { wechat_qrcode: picture } = useStatus()
  const [code, setCode] = useState<string | null>(null)
  const [confirm, busy] = useAction(async () => {
    if (!code?.trim()) return
    await signIn.human.withToken(async () => {
      const entered = await signIn.orCode(client.auth.wechat({ code: code.trim(), ...inviter() }))
      setCode(null)
      if (entered?.data) enter(entered.data, '/')
    })
  })
  return (
    <>
      <Button
        block
        size="large"
        icon={<IconComment aria-hidden className="login-wechat" />}
        onClick={() => setCode('')}
      >
        {fill(t.with, { name })}
      </Button>
      {code !== null && (
        <Dialog
          title={fill(t.with, { name })}
          onClose={() => setCode(null)}
          onSubmit={() => void confirm()}
          foot={
            <Button htmlType="submit" theme="solid" loading={busy} disabled={code.trim() === ''}>
              {t.submit}
            </Button>
          }
        >
          {picture && <img className="login-picture" src={picture} alt={t.picture} width={220} height={220} />}
          <p className="muted">{t.scan}</p>
          <Field field="code" label={t.code}>
            <Input
              size="large"
              aria-label={t.code}
              autoComplete="one-time-code"
              value={code}
              onChange={(value) => setCode(value)}
            />
          </Field>
        </Dialog>
      )}
    </>
  )
}
