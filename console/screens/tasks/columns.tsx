// The columns of the task log.
import { useTranslatedLogText } from '../../data/use-retold.ts'
import { useText } from '../../data/texts.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { MediaButton } from '../../parts/media/media-button.tsx'
import { parsePercent, ProgressRing } from '../../parts/progress.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Dot, numberedColor, Tag } from '../../parts/tags.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { DurationTag } from '../../parts/took.tsx'
import { ACTIONS, findKind, PLATFORMS, STATUSES } from './kinds.ts'
import { parseOutcome } from './outcome.ts'
import type { TaskRow } from './use-tasks.ts'

interface Shows {
  record(row: TaskRow): void
  outcome(row: TaskRow, key: string): void
}

export function useTaskColumns(isAdmin: boolean, show: Shows): Column<TaskRow>[] {
  const t = useText()
  const translate = useTranslatedLogText()
  const channel: Column<TaskRow> = {
    key: 'channel',
    title: t('Channel'),
    rank: 4,
    width: 80,
    render: ({ channel_id = 0 }) => (
      <CopyText text={String(channel_id)}>
        <Dot color={numberedColor(channel_id)}>{channel_id}</Dot>
      </CopyText>
    ),
  }
  return [
    {
      key: 'submitted',
      title: t('Submitted'),
      rank: 1,
      width: 165,
      card: 'title',
      render: ({ submit_time }) => (submit_time > 0 ? <RelativeTime exact seconds={submit_time} /> : '-'),
    },
    {
      key: 'finished',
      title: t('Finished'),
      rank: 5,
      width: 150,
      render: ({ finish_time }) => (finish_time > 0 ? <RelativeTime exact seconds={finish_time} /> : '-'),
    },
    { key: 'progress', title: t('Progress'), rank: 2, width: 76, render: (row) => <Progress row={row} /> },
    {
      key: 'duration',
      title: t('Duration'),
      rank: 3,
      width: 90,
      render: ({ submit_time, finish_time }) => <DurationTag from={submit_time * 1000} to={finish_time * 1000} />,
    },
    ...(isAdmin ? [channel] : []),
    {
      key: 'platform',
      title: t('Platform'),
      rank: 4,
      width: 90,
      render: ({ platform }) => {
        const { name, color } = findKind(PLATFORMS, platform)
        return <Dot color={color}>{t(name)}</Dot>
      },
    },
    {
      key: 'action',
      title: t('Action'),
      rank: 2,
      width: 150,
      render: ({ action }) => {
        const { name, color } = findKind(ACTIONS, action)
        return <Dot color={color}>{t(name)}</Dot>
      },
    },
    {
      key: 'task_id',
      title: t('Task ID'),
      rank: 3,
      width: 165,
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
      width: 110,
      card: 'badge',
      render: ({ status }) => {
        const { name, color } = findKind(STATUSES, status)
        return <Tag color={color}>{t(name)}</Tag>
      },
    },
    {
      key: 'result',
      title: t('Result'),
      rank: 1,
      width: 110,
      render: (row) => <MediaButton media={parseOutcome(row)} onOpen={(key) => show.outcome(row, key)} />,
    },
    {
      key: 'fail_reason',
      title: t('Fail reason'),
      rank: 4,
      width: 130,
      render: ({ fail_reason }) => <LongText title={t('Fail reason')} text={translate(fail_reason)} />,
    },
  ]
}

function Progress({ row: { progress, status, task_id } }: { row: TaskRow }) {
  const t = useText()
  const percent = parsePercent(progress)
  if (percent === null) return <span>{progress || '-'}</span>
  return <ProgressRing label={`${t('Progress')}: ${task_id}`} percent={percent} failed={status === 'FAILURE'} />
}
