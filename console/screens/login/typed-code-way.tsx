// WeChat: users follow the account of the site, receive a code there, and enter it here.
import { IconComment } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { Button } from '../../semi.ts'
import { CodeDialog } from './code-dialog.tsx'
import { getInviter } from './inviter.ts'
import { words } from './texts.ts'
import type { WayProps } from './way.ts'

export function TypedCodeWay({ name, signIn, enter }: WayProps) {
  const t = useTexts(words)
  const [open, setOpen] = useState(false)
  const [confirm, busy] = useAction(async (code: string) => {
    await signIn.human.withToken(async () => {
      const entered = await signIn.orCode(client.auth.wechat({ code, ...getInviter() }))
      setOpen(false)
      if (entered?.data) enter(entered.data, '/')
    })
  })
  return (
    <>
      <Button
        block
        size="large"
        icon={<IconComment aria-hidden className="login-wechat" />}
        onClick={() => setOpen(true)}
      >
        {fillPhrase(t.with, { name })}
      </Button>
      {open && (
        <CodeDialog
          title={fillPhrase(t.with, { name })}
          submit={t.submit}
          busy={busy}
          onCode={(code) => void confirm(code)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
