// The drawings as a grid of pictures; those without one show their status.
import { useMemo } from 'react'
import { useTexts } from '../../data/texts.tsx'
import { MediaGrid } from '../../parts/media/media-grid.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { ActionTag, ProgressCell } from './columns.tsx'
import { toPicture } from './picture.ts'
import { words } from './texts.ts'
import type { DrawingRow } from './use-drawings.ts'

export function DrawingGrid({ rows, onOpen }: { rows: readonly DrawingRow[]; onOpen(key: string): void }) {
  const t = useTexts(words)
  const tiles = useMemo(
    () =>
      rows.map((row) => ({
        key: String(row.id),
        picture: toPicture(row),
        instead: <ProgressCell row={row} />,
        caption: (
          <>
            <ActionTag action={row.action} />
            <RelativeTime seconds={row.submit_time / 1000} />
          </>
        ),
      })),
    [rows],
  )
  return <MediaGrid label={t.title} tiles={tiles} onOpen={onOpen} />
}
