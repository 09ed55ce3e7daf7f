// Reads the endpoints from the entered discovery document into the fields below it.
import { notify } from '../../../data/notify.ts'
import { useTexts } from '../../../data/texts.tsx'
import { useAction } from '../../../data/use-endpoint.ts'
import { Button } from '../../../semi.ts'
import { words } from '../texts.ts'
import { useSettings } from '../use-settings.tsx'
import { fetchEndpoints, WELL_KNOWN } from '../well-known.ts'

export function ReadEndpoints() {
  const t = useTexts(words)
  const form = useSettings()
  const address = form.textOf(WELL_KNOWN).trim()
  const [read, busy] = useAction(async () => {
    form.changeAll(await fetchEndpoints(address))
    notify.success(t.documentRead)
  })
  return (
    <div className="field-row">
      <Button size="small" type="tertiary" loading={busy} disabled={address === ''} onClick={() => void read()}>
        {t.readDocument}
      </Button>
    </div>
  )
}
