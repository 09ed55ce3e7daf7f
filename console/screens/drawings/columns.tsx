// The columns of the drawing log.
import { useTexts } from '../../data/texts.tsx'
import { useTranslatedLogText } from '../../data/use-retold.ts'
import { CopyText } from '../../parts/copy.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { MediaButton } from '../../parts/media/media-button.tsx'
import { parsePercent, ProgressBar } from '../../parts/progress.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Dot, numberedColor, Tag, type Color } from '../../parts/tags.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { DurationTag } from '../../parts/took.tsx'
import { ACTIONS, CODES, findKind, STATUSES } from './kinds.ts'
import { toPicture } from './picture.ts'
import { words } from './texts.ts'
import type { DrawingRow } from './use-drawings.ts'

export function useDrawingColumns(isAdmin: boolean, openPicture: (key: string) => void): Column<DrawingRow>[] {
  const t = useTexts(words)
  const translate = useTranslatedLogText()
  const state = (kinds: typeof CODES, name: string | number) => {
    const { word, color } = findKind(kinds, name)
    return <Tag color={color}>{t[word]}</Tag>
  }
  const channel: Column<DrawingRow> = {
    key: 'channel',
    title: t.channel,
    rank: 4,
    width: 80,
    render: ({ channel_id = 0 }) => (
      <CopyText text={String(channel_id)}>
        <Dot color={numberedColor(channel_id)}>{channel_id}</Dot>
      </CopyText>
    ),
  }
  const ofAdmins: Column<DrawingRow>[] = [
    { key: 'code', title: t.submitResult, rank: 5, width: 120, render: ({ code }) => state(CODES, code) },
    {
      key: 'status',
      title: t.taskStatus,
      rank: 2,
      width: 110,
      card: 'badge',
      render: ({ status }) => state(STATUSES, status),
    },
  ]
  const text = (key: 'prompt' | 'prompt_en' | 'fail_reason', title: string, rank: number): Column<DrawingRow> => ({
    key,
    title,
    rank,
    width: 120,
    render: (row) => <LongText title={title} text={key === 'fail_reason' ? translate(row[key]) : row[key]} />,
  })
  return [
    {
      key: 'submitted',
      title: t.submittedAt,
      rank: 1,
      width: 150,
      card: 'title',
      render: ({ submit_time }) => <RelativeTime exact seconds={submit_time / 1000} />,
    },
    {
      key: 'duration',
      title: t.duration,
      rank: 3,
      width: 90,
      render: ({ submit_time, finish_time }) => <DurationTag from={submit_time} to={finish_time} />,
    },
    ...(isAdmin ? [channel] : []),
    { key: 'type', title: t.type, rank: 1, width: 110, render: ({ action }) => <ActionTag action={action} /> },
    { key: 'task_id', title: t.taskId, rank: 3, width: 150, render: ({ mj_id }) => mj_id && <CopyText text={mj_id} /> },
    ...(isAdmin ? ofAdmins : []),
    {
      key: 'progress',
      title: t.progress,
      rank: 2,
      width: 150,
      render: (row) => <ProgressCell row={row} />,
    },
    {
      key: 'image',
      title: t.image,
      rank: 1,
      width: 110,
      render: (row) => <MediaButton media={[toPicture(row) ?? []].flat()} onOpen={openPicture} />,
    },
    text('prompt', t.prompt, 4),
    text('prompt_en', t.promptEn, 6),
    text('fail_reason', t.failReason, 5),
  ]
}

export function ActionTag({ action }: { action: string }) {
  const t = useTexts(words)
  const { word, color } = findKind(ACTIONS, action)
  // A dot cannot be white, so unknown values are grey.
  return <Dot color={color === 'white' ? 'grey' : (color satisfies Color)}>{t[word]}</Dot>
}

/** The progress that the provider reports: a number as a bar, anything else unchanged. */
export function ProgressCell({ row: { progress, status, mj_id } }: { row: DrawingRow }) {
  const t = useTexts(words)
  const percent = parsePercent(progress)
  if (percent === null) return <span>{progress}</span>
  return <ProgressBar label={`${t.progress}: ${mj_id}`} percent={percent} failed={status === 'FAILURE'} />
}
