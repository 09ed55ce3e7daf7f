// The ways to hand out codes: as text, as a table, on paper, through the clipboard.
import { IconCopy, IconDownload, IconPrint } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { loadLater } from '../../parts/load-later.ts'
import type { RedemptionCode } from '../../../core/redemptions/redemption.ts'
import { useText } from '../../data/texts.tsx'
import { useCopy } from '../../parts/text/copy.tsx'
import { Button } from '../../semi.ts'
import { formatCodeLines, saveCodeTable, saveCodeText } from './handed-out.ts'
const CodeSheet = loadLater(async () => (await import('./code-sheet.tsx')).CodeSheet)

export function HandOutButtons({ codes }: { codes: readonly RedemptionCode[] }) {
  const t = useText()
  const [copy, copyDialog] = useCopy()
  const [printing, setPrinting] = useState(false)
  const disabled = codes.length === 0
  return (
    <div className="hand-out">
      <Button icon={<IconDownload aria-hidden />} disabled={disabled} onClick={() => saveCodeText(codes)}>
        {t('Text file')}
      </Button>
      <Button icon={<IconDownload aria-hidden />} disabled={disabled} onClick={() => void saveCodeTable(codes)}>
        {t('CSV file')}
      </Button>
      <Button icon={<IconPrint aria-hidden />} disabled={disabled} onClick={() => setPrinting(true)}>
        {t('Printable sheet')}
      </Button>
      <Button
        icon={<IconCopy aria-hidden />}
        disabled={disabled}
        onClick={() => void copy(formatCodeLines(codes), codes.map(({ name }) => name).join(', '))}
      >
        {t('Copy')}
      </Button>
      {printing && <CodeSheet codes={codes} onClose={() => setPrinting(false)} />}
      {copyDialog}
    </div>
  )
}
