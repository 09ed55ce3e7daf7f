// One call at its own address: all of its facts, independent of the list next to it.
import { Link } from 'react-router'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { apiClient, RequestFailure } from '../../data/client.ts'
import { toServerAddress } from '../../data/base.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { useCopy } from '../../parts/text/copy.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { buildMenuAttributes, type MenuItem } from '../../parts/overlay/menu.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { LabelledLines } from '../../parts/table/row.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { CallBill } from './bill.tsx'
import { useCallActs } from './call-acts.tsx'
import { buildCallPath } from './call-path.ts'
import { LogDetail } from './log-detail.tsx'

interface Props {
  request_id: string
  isAdmin: boolean
  columns: TableColumn<LogEntry>[]
  likeThis(row: LogEntry): MenuItem[]
  onClose(): void
}

export function LogCallPanel({ request_id, isAdmin, columns, likeThis, onClose }: Props) {
  const t = useText()
  const [copy, copyDialog] = useCopy()
  const [acts, actDialogs] = useCallActs()
  const { data, loading } = useEndpoint(['logs.explain', request_id, isAdmin], async () => {
    try {
      return await (isAdmin ? apiClient.logs.explain({ request_id }) : apiClient.logs.explainSelf({ request_id }))
    } catch (error) {
      if (error instanceof RequestFailure) return null
      throw error
    }
  })
  const log = data?.log
  return (
    <ModalDialog
      title={t('Call: {model}', { model: log?.model_name ?? request_id })}
      side="right"
      wide
      onClose={onClose}
    >
      {!data &&
        (loading ? (
          <LoadingIndicator />
        ) : (
          <EmptyState
            title={t('No such call')}
            description={t('You have no log row and no charge for this request.')}
          />
        ))}
      {log && (
        <>
          <div className="call-acts">
            <Button
              size="small"
              type="tertiary"
              onClick={() => void copy(window.location.origin + toServerAddress(buildCallPath(log)!), t('link'))}
            >
              {t('Copy link')}
            </Button>
            {acts(log).map(({ key, label, run }) => (
              <Button key={key} size="small" type="tertiary" onClick={run}>
                {label}
              </Button>
            ))}
            {isAdmin && log.model_name && (
              <Link className="call-link" to={buildRoutePath(log)}>
                {t('Where such calls go now')}
              </Link>
            )}
            <Button size="small" type="tertiary" {...buildMenuAttributes(t('Similar calls'), () => likeThis(log))}>
              {t('Similar calls')}
            </Button>
          </div>
          <LabelledLines columns={columns.filter(({ key }) => key !== 'details')} row={log} />
          <LogDetail entry={log} isAdmin={isAdmin} />
        </>
      )}
      {data && !log && (
        <>
          <p>{t('No log row has more details: logging was off, or the rows were deleted.')}</p>
          <CallBill bill={data} estimated={false} />
        </>
      )}
      {copyDialog}
      {actDialogs}
    </ModalDialog>
  )
}

/** Link to the current route of such calls. */
const buildRoutePath = ({ model_name, group }: LogEntry) =>
  `/channel/route?${new URLSearchParams({ model: model_name, group }).toString()}`
