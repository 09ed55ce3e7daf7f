// The running version, its start time, and whether a newer version exists.
import { useState } from 'react'
import { quietClient, RequestFailure } from '../../../data/client.ts'
import { showNotice } from '../../../data/notify.ts'
import { useServerStatus } from '../../../data/status.ts'
import { useAction } from '../../../data/use-endpoint.ts'
import { useText } from '../../../data/texts.tsx'
import { ModalDialog } from '../../../parts/overlay/dialog.tsx'
import { RichContent } from '../../../parts/text/rich-text.tsx'
import { RelativeTime } from '../../../parts/text/time.tsx'
import { Button } from '../../../semi.ts'

interface Release {
  tag_name: string
  body: string
}

export function SystemInfo() {
  const t = useText()
  const { version, start_time } = useServerStatus()
  const [release, setRelease] = useState<Release | null>(null)
  const [check, busy] = useAction(async () => {
    try {
      const { newer, tag_name, body, current } = await quietClient.site.release()
      if (newer) setRelease({ tag_name, body })
      else showNotice.success(t('already the latest version: {tag}', { tag: tag_name || current }))
    } catch (error) {
      // The error message of the server explains the remedy.
      if (error instanceof RequestFailure && error.kind)
        showNotice.error(error.status === 200 ? error.message : t('check for updates failed'))
      throw error
    }
  })
  return (
    <div className="setting setting-extra system-info">
      <dl>
        <dt>{t('Version')}</dt>
        <dd>
          <code>{version}</code>
        </dd>
        <dt>{t('Started')}</dt>
        <dd>
          <RelativeTime seconds={start_time} exact />
        </dd>
      </dl>
      <Button loading={busy} onClick={() => void check()}>
        {t('Check for updates')}
      </Button>
      {release && (
        <ModalDialog title={t('new version: {tag}', { tag: release.tag_name })} wide onClose={() => setRelease(null)}>
          {release.body.trim() === '' ? (
            <p className="muted">{t('No release notes.')}</p>
          ) : (
            <RichContent source={release.body} />
          )}
        </ModalDialog>
      )}
    </div>
  )
}
