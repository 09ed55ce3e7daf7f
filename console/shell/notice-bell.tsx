// The site notice, to be read again after its banner was closed.
import { IconBell } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { client } from '../data/client.ts'
import { useTexts } from '../data/texts.tsx'
import { useAction } from '../data/use-endpoint.ts'
import { Dialog } from '../parts/dialog.tsx'
import { RichText } from '../parts/rich-text.tsx'
import { Button } from '../semi.ts'
import { words } from './texts.ts'

export function NoticeBell() {
  const t = useTexts(words)
  const [notice, setNotice] = useState<string | null>(null)
  const [show, busy] = useAction(async () => setNotice((await client.site.notice()).trim()))
  return (
    <>
      <Button
        theme="borderless"
        type="tertiary"
        icon={<IconBell aria-hidden size="large" />}
        aria-label={t.notice}
        loading={busy}
        onClick={() => void show()}
      />
      {notice !== null && (
        <Dialog
          title={t.notice}
          onClose={() => setNotice(null)}
          foot={
            <Button theme="solid" onClick={() => setNotice(null)}>
              {t.close}
            </Button>
          }
        >
          {notice ? <RichText source={notice} /> : <p>{t.noNotice}</p>}
        </Dialog>
      )}
    </>
  )
}
