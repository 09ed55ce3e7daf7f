// The drawings as a grid of pictures; those without one show their status.
import { useMemo } from 'react'
import { useTexts } from '../../data/texts.tsx'
import { MediaGrid } from '../../parts/media/media-grid.tsx'
import { Time } from '../../parts/time.tsx'
import { Action, Progress } from './columns.tsx'
import { pictureOf } from './picture.ts'
import { words } from './texts.ts'
import type { DrawingRow } from './use-drawings.ts'

export function DrawingGrid({ rows, onOpen }: { rows: readonly DrawingRow[]; onOpen(key: string): void }) {
  const t = useTexts(words)
  const tiles = useMemo(
    () =>
      rows.map((row) => ({
        key: String(row.id),
        picture: pictureOf(row),
        instead: <Progress row={row} />,
        caption: (
          <>
            <Action action={row.action} />
            <Time seconds={row.submit_time / 1000} />
          </>
        ),
      })),
    [rows],
  )
  return <MediaGrid label={t.title} tiles={tiles} onOpen={onOpen} />
}
