// The columns of the task log.
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { useText } from '../../data/texts.tsx'
import { ClickToCopy } from '../../parts/text/copy.tsx'
import { LongText } from '../../parts/text/long-text.tsx'
import { MediaButton } from '../../parts/media/media-button.tsx'
import { parsePercentText, ProgressRing } from '../../parts/status/progress.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { ColorDot, getNumberedColor, StateTag } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { DurationTag } from '../../parts/text/took.tsx'
import { TASK_ACTIONS, findTaskKind, TASK_PLATFORMS, TASK_STATUSES } from './kinds.ts'
import { parseOutcome } from './outcome.ts'
import type { TaskRow } from './use-tasks.ts'

interface Shows {
  record(row: TaskRow): void
  outcome(row: TaskRow, key: string): void
}

export function useTaskColumns(isAdmin: boolean, show: Shows): TableColumn<TaskRow>[] {
  const t = useText()
  const translate = useTranslatedLogText()
  const channel: TableColumn<TaskRow> = {
    key: 'channel',
    title: t('Channel'),
    rank: 4,
    width: 72,
    under: ['platform', 'action'],
    render: ({ channel_id = 0 }) => (
      <ClickToCopy text={String(channel_id)}>
        <ColorDot color={getNumberedColor(channel_id)}>{channel_id}</ColorDot>
      </ClickToCopy>
    ),
  }
  return [
    {
      key: 'submitted',
      title: t('Submitted'),
      rank: 1,
      width: 126,
      card: 'number',
      render: ({ submit_time }) => (submit_time > 0 ? <RelativeTime exact seconds={submit_time} /> : '-'),
    },
    {
      key: 'finished',
      title: t('Finished'),
      rank: 6,
      width: 126,
      under: ['submitted'],
      render: ({ finish_time }) => (finish_time > 0 ? <RelativeTime exact seconds={finish_time} /> : '-'),
    },
    {
      key: 'progress',
      title: t('Progress'),
      rank: 2,
      width: 72,
      card: 'number',
      render: (row) => <Progress row={row} />,
    },
    {
      key: 'duration',
      title: t('Duration'),
      rank: 3,
      width: 80,
      under: ['progress'],
      render: ({ submit_time, finish_time }) => <DurationTag from={submit_time * 1000} to={finish_time * 1000} />,
    },
    ...(isAdmin ? [channel] : []),
    {
      key: 'platform',
      title: t('Platform'),
      rank: 5,
      width: 90,
      under: ['action'],
      render: ({ platform }) => {
        const { name, color } = findTaskKind(TASK_PLATFORMS, platform)
        return (
          <ColorDot isWord color={color}>
            {t(name)}
          </ColorDot>
        )
      },
    },
    {
      key: 'action',
      title: t('Action'),
      rank: 2,
      width: 140,
      card: 'title',
      render: ({ action }) => {
        const { name, color } = findTaskKind(TASK_ACTIONS, action)
        return (
          <ColorDot isWord color={color}>
            {t(name)}
          </ColorDot>
        )
      },
    },
    {
      key: 'task_id',
      title: t('Task ID'),
      rank: 3,
      width: 150,
      under: ['action'],
      render: (row) => (
        <button type="button" className="copy-text" data-tip={t('Raw record')} onClick={() => show.record(row)}>
          {row.task_id || '-'}
        </button>
      ),
    },
    {
      key: 'status',
      title: t('Status', { context: 'task' }),
      rank: 1,
      width: 105,
      card: 'badge',
      render: ({ status }) => {
        const { name, color } = findTaskKind(TASK_STATUSES, status)
        return <StateTag color={color}>{t(name)}</StateTag>
      },
    },
    {
      key: 'result',
      title: t('Result'),
      rank: 1,
      width: 96,
      render: (row) => <MediaButton media={parseOutcome(row)} onOpen={(key) => show.outcome(row, key)} />,
    },
    {
      key: 'fail_reason',
      title: t('Fail reason'),
      rank: 3,
      width: 120,
      under: ['status'],
      render: ({ fail_reason }) => <LongText title={t('Fail reason')} text={translate(fail_reason)} />,
    },
  ]
}

function Progress({ row: { progress, status, task_id } }: { row: TaskRow }) {
  const t = useText()
  const percent = parsePercentText(progress)
  if (percent === null) return <span>{progress || '-'}</span>
  return <ProgressRing label={`${t('Progress')}: ${task_id}`} percent={percent} failed={status === 'FAILURE'} />
}
