// Saves the filtered rows of the list as a file.
import { IconDownload } from '@douyinfe/semi-icons'
import { EXPORT_FORMATS, type ExportFormat } from '../../../core/logs/export.ts'
import { downloadFile } from '../../data/download.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { opensMenu } from '../../parts/menu.tsx'
import { Button } from '../../semi.ts'
import { toTimedInput, type LogQuery } from './use-log-list.ts'
import { words } from './texts.ts'

const NAMES: Record<ExportFormat, string> = { csv: 'CSV', jsonl: 'JSON lines' }

export function ExportButton({ query, isAdmin }: { query: LogQuery; isAdmin: boolean }) {
  const t = useTexts(words)
  const [save, busy] = useAction(async (format: ExportFormat) => {
    const name = isAdmin ? 'export' : 'exportSelf'
    await downloadFile('logs', name, { ...toTimedInput(query), format }, `weir-log.${format}`)
  })
  return (
    <Button
      type="tertiary"
      icon={<IconDownload aria-hidden />}
      loading={busy}
      {...opensMenu(t.export, () =>
        EXPORT_FORMATS.map((format) => ({ key: format, label: NAMES[format], run: () => void save(format) })),
      )}
    >
      {t.export}
    </Button>
  )
}
