// The running version, its start time, and whether a newer version exists.
import { useState } from 'react'
import { quietClient, RequestFailure } from '../../../data/client.ts'
import { notify } from '../../../data/notify.ts'
import { useStatus } from '../../../data/status.ts'
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { useAction } from '../../../data/use-endpoint.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { RichText } from '../../../parts/rich-text.tsx'
import { RelativeTime } from '../../../parts/time.tsx'
import { Button } from '../../../semi.ts'
import { words } from '../texts.ts'

interface Release {
  tag_name: string
  body: string
}

export function SystemInfo() {
  const t = useTexts(words)
  const { version, start_time } = useStatus()
  const [release, setRelease] = useState<Release | null>(null)
  const [check, busy] = useAction(async () => {
    try {
      const { newer, tag_name, body, current } = await quietClient.site.release()
      if (newer) setRelease({ tag_name, body })
      else notify.success(fillPhrase(t.latest, { tag: tag_name || current }))
    } catch (error) {
      // The error message of the server explains the remedy.
      if (error instanceof RequestFailure && error.kind)
        notify.error(error.status === 200 ? error.message : t.updatesFailed)
      throw error
    }
  })
  return (
    <div className="setting setting-extra system-info">
      <dl>
        <dt>{t.version}</dt>
        <dd>
          <code>{version}</code>
        </dd>
        <dt>{t.startedAt}</dt>
        <dd>
          <RelativeTime seconds={start_time} exact />
        </dd>
      </dl>
      <Button loading={busy} onClick={() => void check()}>
        {t.checkUpdates}
      </Button>
      {release && (
        <Dialog title={fillPhrase(t.newVersion, { tag: release.tag_name })} wide onClose={() => setRelease(null)}>
          {release.body.trim() === '' ? <p className="muted">{t.noNotes}</p> : <RichText source={release.body} />}
        </Dialog>
      )}
    </div>
  )
}
