import { useState } from 'react'
import { LONG_TEXT, definePreviews } from '../../parts-page/states.ts'
import { Button } from '../../semi.ts'
import { PICTURE } from './media-grid.parts.tsx'
import type { Medium } from './media.ts'
import { Viewer } from './viewer.tsx'

const media: Medium[] = [
  { key: 'one', kind: 'picture', src: PICTURE, title: 'A weir' },
  { key: 'two', kind: 'words', src: '', title: LONG_TEXT, text: `${LONG_TEXT}\n`.repeat(20) },
]

function Opens() {
  const [at, setAt] = useState<string | null>(null)
  return (
    <>
      <Button onClick={() => setAt('one')}>Open</Button>
      {at !== null && <Viewer media={media} at={at} onMove={setAt} onClose={() => setAt(null)} />}
    </>
  )
}

export const previews = definePreviews({ 'a picture and words': Opens })
