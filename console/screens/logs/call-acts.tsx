// The acts on a call of the log: its request as a command, its model in the playground, and the call once more.
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { loadLater } from '../../parts/load-later.ts'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { showNotice } from '../../data/notify.ts'
import { useServerStatus } from '../../data/status.ts'
import { useText } from '../../data/texts.tsx'
import type { MenuItem } from '../../parts/overlay/menu.tsx'
import { copyToClipboard, useCopy } from '../../parts/text/copy.tsx'
import { buildCallRequest, buildCurl, isChatRequest } from './call-request.ts'
import { isCallRow } from './call-row.ts'

const CallAgain = loadLater(async () => (await import('./call-again.tsx')).CallAgainDialog)

/** Returns the acts on a row, and the dialogs that they need. */
export function useCallActs(): [acts: (entry: LogEntry) => MenuItem[], dialogs: ReactNode] {
  const t = useText()
  const navigate = useNavigate()
  const { server_address } = useServerStatus()
  const [again, setAgain] = useState<LogEntry | null>(null)
  const [copyByHand, dialog] = useCopy()
  const copyCurl = async (text: string) => {
    if (!(await copyToClipboard(text))) return copyByHand(text)
    showNotice.success(
      t(
        'The command is copied. It reads the key from WEIR_TOKEN, and a placeholder stands for the content, which is not stored.',
      ),
    )
  }
  const acts = (entry: LogEntry): MenuItem[] => {
    const request = isCallRow(entry) ? buildCallRequest(entry) : null
    if (!request) return []
    const server = (server_address || window.location.origin).replace(/\/+$/, '')
    const curl: MenuItem = {
      key: 'curl',
      label: t('Copy as curl'),
      run: () => void copyCurl(buildCurl(request, server)),
    }
    if (!isChatRequest(request)) return [curl]
    const model = new URLSearchParams({ model: String(request.body['model']) }).toString()
    return [
      curl,
      { key: 'playground', label: t('Open in the playground'), run: () => void navigate(`/playground?${model}`) },
      { key: 'again', label: t('Send again'), run: () => setAgain(entry) },
    ]
  }
  const request = again && buildCallRequest(again)
  return [
    acts,
    <>
      {dialog}
      {again && request && <CallAgain entry={again} request={request} onClose={() => setAgain(null)} />}
    </>,
  ]
}
