import { useState } from 'react'
import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { Button } from '../semi.ts'
import { PrintSheet } from './print-sheet.tsx'

function Opens({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {open && (
        <PrintSheet title="Invoice" onClose={() => setOpen(false)}>
          <p>{text}</p>
        </PrintSheet>
      )}
    </>
  )
}

export const previews = definePreviews({
  'something to print': () => <Opens text="Paid with thanks." />,
  'long text': () => <Opens text={LONG_TEXT} />,
})
