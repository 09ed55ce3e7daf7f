// The columns of the drawing log.
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { useText } from '../../data/texts.tsx'
import { ClickToCopy } from '../../parts/text/copy.tsx'
import { LongText } from '../../parts/text/long-text.tsx'
import { MediaButton } from '../../parts/media/media-button.tsx'
import { parsePercentText, ProgressBar } from '../../parts/status/progress.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { ColorDot, getNumberedColor, StateTag, type TagColor } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { DurationTag } from '../../parts/text/took.tsx'
import { DRAWING_ACTIONS, DRAWING_CODES, findDrawingKind, DRAWING_STATUSES } from './kinds.ts'
import { toDrawingPicture } from './picture.ts'
import type { DrawingRow } from './use-drawings.ts'

export function useDrawingColumns(isAdmin: boolean, openPicture: (key: string) => void): TableColumn<DrawingRow>[] {
  const t = useText()
  const translate = useTranslatedLogText()
  const state = (kinds: typeof DRAWING_CODES, value: string | number) => {
    const { name, color } = findDrawingKind(kinds, value)
    return <StateTag color={color}>{t(name)}</StateTag>
  }
  const channel: TableColumn<DrawingRow> = {
    key: 'channel',
    title: t('Channel'),
    rank: 4,
    width: 72,
    under: ['type'],
    render: ({ channel_id = 0 }) => (
      <ClickToCopy text={String(channel_id)}>
        <ColorDot color={getNumberedColor(channel_id)}>{channel_id}</ColorDot>
      </ClickToCopy>
    ),
  }
  const ofAdmins: TableColumn<DrawingRow>[] = [
    {
      key: 'code',
      title: t('Submission result'),
      rank: 5,
      width: 110,
      under: ['status'],
      render: ({ code }) => state(DRAWING_CODES, code),
    },
    {
      key: 'status',
      title: t('Task status'),
      rank: 2,
      width: 105,
      card: 'badge',
      render: ({ status }) => state(DRAWING_STATUSES, status),
    },
  ]
  const longText = (
    key: 'prompt' | 'prompt_en' | 'fail_reason',
    title: string,
    rank: number,
    under: readonly string[],
  ): TableColumn<DrawingRow> => ({
    key,
    title,
    rank,
    width: 120,
    under,
    render: (row) => <LongText title={title} text={key === 'fail_reason' ? translate(row[key]) : row[key]} />,
  })
  return [
    {
      key: 'submitted',
      title: t('Submitted'),
      rank: 1,
      width: 126,
      card: 'number',
      render: ({ submit_time }) => <RelativeTime exact seconds={submit_time / 1000} />,
    },
    {
      key: 'duration',
      title: t('Duration'),
      rank: 4,
      width: 80,
      under: ['submitted', 'progress'],
      render: ({ submit_time, finish_time }) => <DurationTag from={submit_time} to={finish_time} />,
    },
    ...(isAdmin ? [channel] : []),
    {
      key: 'type',
      title: t('Type'),
      rank: 1,
      width: 100,
      card: 'title',
      render: ({ action }) => <ActionTag action={action} />,
    },
    {
      key: 'task_id',
      title: t('Task ID'),
      rank: 3,
      width: 140,
      under: ['type'],
      render: ({ mj_id }) => mj_id && <ClickToCopy text={mj_id} />,
    },
    ...(isAdmin ? ofAdmins : []),
    {
      key: 'progress',
      title: t('Progress'),
      rank: 2,
      width: 130,
      card: 'number',
      render: (row) => <ProgressCell row={row} />,
    },
    {
      key: 'image',
      title: t('Result image'),
      rank: 1,
      width: 96,
      render: (row) => <MediaButton media={[toDrawingPicture(row) ?? []].flat()} onOpen={openPicture} />,
    },
    longText('prompt', t('Prompt', { context: 'drawing' }), 4, ['type']),
    longText('prompt_en', t('PromptEn'), 6, ['prompt']),
    longText('fail_reason', t('Fail reason'), 5, ['status', 'prompt']),
  ]
}

export function ActionTag({ action }: { action: string }) {
  const t = useText()
  const { name, color } = findDrawingKind(DRAWING_ACTIONS, action)
  // A dot cannot be white, so unknown values are grey.
  return (
    <ColorDot isWord color={color === 'white' ? 'grey' : (color satisfies TagColor)}>
      {t(name)}
    </ColorDot>
  )
}

/** The progress that the provider reports: a number as a bar, anything else unchanged. */
export function ProgressCell({ row: { progress, status, mj_id } }: { row: DrawingRow }) {
  const t = useText()
  const percent = parsePercentText(progress)
  if (percent === null) return <span>{progress}</span>
  return <ProgressBar label={`${t('Progress')}: ${mj_id}`} percent={percent} failed={status === 'FAILURE'} />
}
