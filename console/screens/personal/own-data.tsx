// Downloads all data that is stored about the user.
import { IconDownload } from '@douyinfe/semi-icons'
import { downloadFile } from '../../data/download.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { Button } from '../../semi.ts'
import { Section } from './section.tsx'
import { words } from './texts.ts'

export function OwnData() {
  const t = useTexts(words)
  const [save, busy] = useAction(() => downloadFile('privacy', 'exportSelf', {}, 'weir-data.json'))
  return (
    <Section
      id="data"
      title={t.ownData}
      lead={t.ownDataLead}
      actions={
        <Button icon={<IconDownload aria-hidden />} loading={busy} onClick={() => void save()}>
          {t.downloadData}
        </Button>
      }
    >
      {null}
    </Section>
  )
}
