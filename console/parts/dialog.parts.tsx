import { useState, type ComponentProps } from 'react'
import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { Button, Input } from '../semi.ts'
import { Dialog } from './dialog.tsx'

function Opens({ title = 'Rename laptop', text, ...more }: Partial<ComponentProps<typeof Dialog>> & { text?: string }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {open && (
        <Dialog
          title={title}
          onClose={close}
          onSubmit={close}
          foot={
            <Button htmlType="submit" theme="solid">
              Save
            </Button>
          }
          {...more}
        >
          {text ?? <Input aria-label="Name" defaultValue="laptop" />}
        </Dialog>
      )}
    </>
  )
}

export const previews = definePreviews({
  'with a field': () => <Opens />,
  wide: () => <Opens wide />,
  narrow: () => <Opens narrow />,
  'at the left': () => <Opens side="left" />,
  'at the right': () => <Opens side="right" />,
  'long text': () => <Opens title={LONG_TEXT} text={`${LONG_TEXT} `.repeat(40)} />,
})
